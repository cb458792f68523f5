"""What Dask's scheduler knows of tasks."""

import asyncio


def tasks_of(client, seconds=5):
    """The tasks that the scheduler knows, once it has heard what was released."""

    async def known(dask_scheduler):
        for _ in range(10 * seconds):
            if not dask_scheduler.tasks:
                break
            await asyncio.sleep(0.1)
        return list(map(str, dask_scheduler.tasks))

    return client.run_on_scheduler(known)
