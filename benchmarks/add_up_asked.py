"""What is asked beside what `add_up.py` recorded: one line each, then table by table."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import two_class_tables
from add_up_jobs import EXACT, KNOWN, OURS, PARTS
from add_up_times import FORMS, ROWS, SMALL
from measuring import HERE, Line, markdown
from public_tables import FEW, GROUPS, MANY
from rivals import BOOSTING, EBM, FOREST, LINEAR
from shapes import ONE_THREAD, SECONDS
from stability import nogueira
from summary import Asked

RISK_RIVALS = {"FastRiskScore": {5: (0.8, 0.010), 10: (1.2, 0.012)}}
NUMBERS = ("iris", "wine", "breast cancer", "haberman", "cryotherapy", "thyroid")
TIMES = {"10000x20": 2.0, "50000x20": 1.5, "200000x20": 0.8, "1000000x20": 0.5}
BIG = ("200000x20", "1000000x20", "100000x100")  # whose memory is compared
BORDER = 2.0  # per cent of the rows
Table = pd.DataFrame


def frame_of(lines: Sequence[Line]) -> Table:
    """The recorded numbers as a table."""
    return pd.DataFrame([line._asdict() for line in lines if line.value is not None])


def recorded(name: str) -> Table:
    """The results of another benchmark."""
    return pd.read_csv(HERE / "results" / name, keep_default_na=False, na_values=[""])


def wide(found: Table, part: str, system: str = OURS) -> Table:
    """A system's measures, one row for each table and split."""
    one = found[(found["part"] == part) & (found["system"] == system)]
    return one.pivot_table("value", ["table", "round"], "measure", sort=False)


def by_table(rows: Table, measure: str) -> pd.Series:
    """Means over the splits of each table."""
    return rows[measure].groupby("table", sort=False).mean()


def mean_of(rows: Table, measure: str) -> float:
    """The mean over tables."""
    return float(by_table(rows, measure).mean())


def least(work: str, asked: float, value: float, form: str = ".2f", more: str = "") -> Asked:
    """A value is asked to be at least a number."""
    return Asked(work, f">= {asked:g}", f"{value:{form}}{more}", bool(value >= asked))


def most(work: str, asked: float, value: float, form: str = ".2f", more: str = "") -> Asked:
    """A value is asked to be at most a number."""
    return Asked(work, f"<= {asked:g}", f"{value:{form}}{more}", bool(value <= asked))


def sets(found: Table) -> Iterator[Asked]:
    """The eight sets, and what there is to read on them."""
    ours = wide(found, "sets")
    told = f" (at ten rules {mean_of(ours, 'accuracy at 10'):.2f})"
    beside = wide(found, "sets", EBM)
    told += f"; {EBM} {mean_of(beside, 'accuracy'):.2f}" if len(beside) else ""
    yield least("eight sets: accuracy", 91.5, mean_of(ours, "accuracy"), more=told)
    yield most("eight sets: rules", 10, mean_of(ours, "rules"))
    yield most("eight sets: conditions", 11, mean_of(ours, "conditions"))
    numbers = ours[ours.index.get_level_values("table").isin(NUMBERS)]
    if len(numbers):
        yield most("partly held rules a row, sets of numbers", 2, mean_of(numbers, "partly held"))
        share = f"; worst set {by_table(numbers, 'wide').max():.0f}"
        yield most("rules with a wide edge, %", 100 / 3, mean_of(numbers, "wide"), ".1f", share)
    against = 100 * ours["against"].sum() / ours["rules"].sum()
    yield most("rules against their own rows, %", 2, against)
    each = mean_of(ours, "conditions per input")
    yield most("distinct conditions per input used", 1.5, each)
    exact = wide(found, "sets", EXACT)
    if len(exact):
        lost = (exact["accuracy"] - ours["accuracy"]).dropna().groupby("table").mean().mean()
        yield most("whole points: accuracy lost", 0.1, float(lost))


def samples(found: Table) -> Iterator[Asked]:
    """Whether resamples have the same inputs."""
    ours = wide(found, "samples")
    values = {}
    for name, part in ours.groupby("table", sort=False):
        count = int(part["inputs"].iloc[0])
        chosen = part.reindex(columns=[f"input {number}" for number in range(count)])
        stable = nogueira(chosen.notna().to_numpy()) if len(part) > 1 else None
        values |= {} if stable is None else {name: stable}
    if values:
        told = "; ".join(f"{name} {value:.2f}" for name, value in values.items())
        value = float(np.mean(list(values.values())))
        yield least("the same inputs over resamples (Nogueira)", 0.6, value, more=f"; {told}")


def many(found: Table) -> Iterator[Asked]:
    """The public tables."""
    ours = wide(found, "many")
    told = f" (at four rules a class {mean_of(ours, 'accuracy at 4 a class'):.2f})"
    yield least("25 tables: accuracy", 81.5, mean_of(ours, "accuracy"), more=told)
    few, rest = (
        ours[ours.index.get_level_values("table").isin(GROUPS[group])] for group in (FEW, MANY)
    )
    if len(few):
        yield most("fewer than five classes: rules", 12, mean_of(few, "rules"))
    if len(rest):
        yield Asked("five classes and more: rules", "", f"{mean_of(rest, 'rules'):.1f}")


def risk(found: Table) -> Iterator[Asked]:
    """Beside risk scores, on real tables."""
    ours, theirs = wide(found, "risk"), recorded("risk_scores.csv")
    real = {name for group in ("sets", "public") for name in two_class_tables.groups()[group]}
    ours = ours[ours.index.get_level_values("table").isin(real)]
    for rival, limits in RISK_RIVALS.items():
        for limit, asked in limits.items():
            more = risk_differences(ours, theirs, rival, limit)
            for measure, number, form in zip(
                ("accuracy", "auc"), asked, ("+.2f", "+.4f"), strict=True
            ):
                if len(more):
                    work = f"{measure} less {rival}, {limit} parts, {len(more)} tables"
                    yield least(work, number, more[measure].mean(), form)


def risk_differences(ours: Table, theirs: Table, system: str, limit: int) -> Table:
    """Ours less a rival's, by table, over the splits of both."""
    one = theirs[(theirs["system"] == system) & (theirs["limit"] == limit)]
    one = one.rename(columns={"seed": "round"}).set_index(["table", "round"])
    less = {m: ours[f"{m} at {limit} parts"] - one[m] for m in ("accuracy", "auc")}
    return pd.DataFrame(less).dropna().groupby("table").mean()


def beside_ebm(found: Table) -> Iterator[Asked]:
    """Beside an explainable boosting machine."""
    ours, theirs = wide(found, "ebm"), wide(found, "ebm", EBM)
    if not len(theirs):
        return
    both = ours.join(theirs.add_suffix(" of rival"), how="inner").groupby("table").mean()
    less = both["auc"] - both["auc of rival"]
    told = f"; {both['auc'].mean():.3f} and {both['auc of rival'].mean():.3f} of {len(both)} tables"
    yield least("AUC less EBM's, at most twelve rules", -0.005, less.mean(), "+.4f", told)
    log_loss = 100 * (both["log_loss"].mean() / both["log_loss of rival"].mean() - 1)
    yield most("log loss above EBM's, %", 2, log_loss, "+.1f")
    told = f"{(less >= 0).sum()} of {len(less)}; worst {less.min():+.3f} ({less.idxmin()})"
    yield Asked("tables at least as good as EBM's AUC", "", told)


def curved(found: Table) -> Iterator[Asked]:
    """Rings, moons, checkerboard, xor."""
    ours, best = wide(found, "curved"), wide(found, "curved", KNOWN)
    for large, rows in ((True, "2,000 rows"), (False, "400 rows")):
        part, known = (
            one[[("2000" in name) == large for name in one.index.get_level_values("table")]]
            for one in (ours, best)
        )
        if len(part):
            told = "; " + ", ".join(f"{n} {v:.1f}" for n, v in by_table(part, "accuracy").items())
            told += f"; borders known {mean_of(known, 'accuracy'):.1f}" if len(known) else ""
            yield least(f"curved, {rows}: accuracy", 97, mean_of(part, "accuracy"), ".1f", told)
            yield most(f"curved, {rows}: most rules", 16, part["rules"].max(), ".0f")


def shapes(found: Table) -> Iterator[Asked]:
    """Made tables of which the rule is known."""
    ours = wide(found, "shapes")
    for name, part in ours.groupby("table", sort=False):
        all_rules = f"; all rules with the log odds {part['together'].median():.3f}"
        yield least(f"{name}: right shape, %", 90, 100 * part["right"].mean(), ".0f", all_rules)
        if "border" in part and part["border"].notna().any():
            near = 100 * (part["border"].dropna() <= BORDER).mean()
            told = f"; median {part['border'].median():.1f} % of the rows"
            yield least(f"{name}: borders within 2 % of the rows, %", 90, near, ".0f", told)


def times(found: Table) -> Iterator[Asked]:
    """Seconds, beside boosting's, and memory."""
    for table in SMALL:
        if len(ours := seconds(found, "small", table, OURS)):
            yield most(f"default fit, {table}, s", 0.4, ours.median(), ".3f")
    for table in ROWS:
        ours = seconds(found, "rows", table, OURS)
        theirs = [seconds(found, "rows", table, name) for name in (BOOSTING, ONE_THREAD)]
        ratio = (ours / pd.concat(theirs, axis=1).min(axis=1)).dropna()
        told = f"; {ours.median():.3g} s"
        if len(ratio) and table in TIMES:
            yield most(f"{table} / {BOOSTING}", TIMES[table], ratio.median(), ".2f", told)
        memory, data = (seconds(found, "rows", table, OURS, m) for m in ("memory", "data"))
        if len(memory) and table in BIG:
            yield most(f"{table}: memory / table", 0.5, (memory / data).median())
    for table in FORMS:
        if len(ours := seconds(found, "forms", table, OURS)):
            yield most(f"{table}, s", SECONDS[table], ours.median(), ".3g")


def seconds(
    found: Table, part: str, table: str, system: str, measure: str = "seconds"
) -> pd.Series:
    """One measure of a system by round."""
    which = (found["part"] == part) & (found["table"] == table) & (found["system"] == system)
    return found[which & (found["measure"] == measure)].set_index("round")["value"]


TOLD = {
    "sets": (sets,),
    "samples": (samples,),
    "many": (many,),
    "risk": (risk,),
    "ebm": (beside_ebm,),
    "curved": (curved,),
    "shapes": (shapes,),
}


def summarised(lines: Sequence[Line]) -> str:
    """All that was measured beside what was asked, then by table."""
    found = frame_of(lines)
    if found.empty:
        return "nothing is recorded"
    there = {part for part in TOLD if len(wide(found, part))}
    asked = [
        one for part, told in TOLD.items() if part in there for tell in told for one in tell(found)
    ]
    asked += times(found)
    texts = [markdown(["measure", "asked", "measured", "reached"], [one.cells() for one in asked])]
    return "\n\n".join([*texts, *details(found, there)])


def details(found: Table, there: set[str]) -> Iterator[str]:
    """Tables one by one, beside what other benchmarks recorded on the same splits."""
    if "sets" in there:
        yield by_table_with(wide(found, "sets"), {})
    if "many" in there:
        rows = recorded("many.csv")
        rivals = {name: rows[rows["system"] == name] for name in (LINEAR, FOREST)}
        yield by_table_with(wide(found, "many"), rivals)
    if "risk" in there:
        for limit in PARTS:
            yield risk_details(wide(found, "risk"), limit)
    if "ebm" in there and len(theirs := wide(found, "ebm", EBM)):
        both = wide(found, "ebm").join(theirs.add_suffix(" of EBM"), how="inner")
        both["auc less"] = both["auc"] - both["auc of EBM"]
        yield both.groupby("table", sort=False).mean().sort_values("auc less").round(3).to_string()


def by_table_with(ours: Table, rivals: dict[str, Table]) -> str:
    """Our measures by table, and others' accuracy on the same splits."""
    means = ours.groupby("table", sort=False).mean()
    for name, rows in rivals.items():
        if len(rows):
            theirs = rows.rename(columns={"seed": "round"}).set_index(["table", "round"])[
                "accuracy"
            ]
            shared = ours[["accuracy"]].join(theirs.rename(name), how="inner")
            means[name] = shared.groupby("table")[name].mean()
            means[f"less {name}"] = (shared["accuracy"] - shared[name]).groupby("table").mean()
    return pd.concat([means, means.mean().to_frame("mean").T]).round(2).to_string()


def risk_details(ours: Table, limit: int) -> str:
    """Where we lose to a risk score."""
    more = risk_differences(ours, recorded("risk_scores.csv"), "FastRiskScore", limit)
    return f"less FastRiskScore, {limit} parts\n{more.sort_values('auc').round(4).to_string()}"
