"""The model: the paper's seven layers, their parameters and their exact derivatives."""

from unfis.network.forward import Activations, forward, network_logits
from unfis.network.jacobian import jacobian_rows
from unfis.network.parameters import Parameters, Shape
from unfis.network.selection import Selection
from unfis.network.trainable import Trainable, select_all

__all__ = [
    "Activations",
    "Parameters",
    "Selection",
    "Shape",
    "Trainable",
    "forward",
    "jacobian_rows",
    "network_logits",
    "select_all",
]
