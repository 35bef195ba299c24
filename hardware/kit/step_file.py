"""Writes a solid as STEP (ISO 10303-21, AP214): flat faces, their edges and corners, so that CAD programs open a body.

A mesh's triangles that lie in one plane become one face with its holes; a round hole is a ring of narrow flat faces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_FLAT = 1.0 - 1e-7
"""Cosine of the angle from which on two triangles lie in one plane."""


@dataclass
class _Lines:
    """The data section: one numbered entity a line, equal ones written once."""

    lines: list[str] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)

    def add(self, entity: str) -> int:
        if entity not in self.known:
            self.lines.append(f"#{len(self.lines) + 1}={entity};")
            self.known[entity] = len(self.lines)
        return self.known[entity]

    def point(self, at: Floats) -> int:
        return self.add(f"CARTESIAN_POINT('',({_numbers(at)}))")

    def direction(self, along: Floats) -> int:
        return self.add(f"DIRECTION('',({_numbers(along)}))")


def _numbers(values: Iterable[float]) -> str:
    return ",".join(f"{value + 0.0:.6f}".rstrip("0") for value in np.round(list(values), 6))


def _list(numbers: Iterable[int]) -> str:
    return "(" + ",".join(f"#{n}" for n in numbers) + ")"


def _faces(points: Floats, triangles: NDArray[np.int64]) -> list[tuple[Floats, list[list[int]]]]:
    """The flat faces: outward normal, and loops of corner numbers, outer first, each with the face on its left."""
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    owner = {(int(t[k]), int(t[(k + 1) % 3])): n for n, t in enumerate(triangles) for k in range(3)}
    group = np.full(len(triangles), -1)
    faces: list[tuple[Floats, list[list[int]]]] = []
    for start in range(len(triangles)):
        if group[start] >= 0:
            continue
        number, todo = len(faces), [start]
        group[start] = number
        while todo:
            now = triangles[todo.pop()]
            for k in range(3):
                other = owner[(int(now[(k + 1) % 3]), int(now[k]))]
                if group[other] < 0 and normals[other] @ normals[start] > _FLAT:
                    group[other] = number
                    todo.append(other)
        faces.append((normals[start], []))
    for number, (normal, loops) in enumerate(faces):
        loops += _loops(points, normal, triangles[group == number])
    return faces


def _loops(points: Floats, normal: Floats, triangles: NDArray[np.int64]) -> list[list[int]]:
    """The closed borders of triangles in one plane."""
    edges = {(int(t[k]), int(t[(k + 1) % 3])) for t in triangles for k in range(3)}
    border: dict[int, list[int]] = defaultdict(list)
    for a, b in sorted(edges):
        if (b, a) not in edges:
            border[a].append(b)
    loops: list[list[int]] = []
    while any(border.values()):
        first = next(a for a, b in border.items() if b)
        loop, now, before = [first], border[first].pop(), first
        while now != first:
            loop.append(now)
            ahead = border[now]
            # Where two loops touch at a corner, the sharpest turn to the right keeps them apart.
            came = points[now] - points[before]
            turns = [np.arctan2(normal @ np.cross(came, points[n] - points[now]), came @ (points[n] - points[now]))
                     for n in ahead]  # fmt: skip
            before, now = now, ahead.pop(int(np.argmin(turns)))
        loops.append(loop)
    return sorted(loops, key=lambda loop: -abs(_area(points[loop], normal)))


def _area(loop: Floats, normal: Floats) -> float:
    return float(normal @ np.cross(loop, np.roll(loop, -1, 0)).sum(0) / 2)


def step(name: str, points: Floats, triangles: NDArray[np.int64]) -> str:
    """The text of the STEP file of a closed mesh: corners (n, 3) mm, triangles (m, 3) anticlockwise from outside."""
    out = _Lines()
    vertex = [out.add(f"VERTEX_POINT('',#{out.point(p)})") for p in points]
    edge: dict[tuple[int, int], int] = {}

    def oriented(a: int, b: int) -> int:
        forward = a < b
        low, high = (a, b) if forward else (b, a)
        if (low, high) not in edge:
            along = points[high] - points[low]
            long = float(np.linalg.norm(along))
            vector = out.add(f"VECTOR('',#{out.direction(along / long)},1.)")
            line = out.add(f"LINE('',#{out.point(points[low])},#{vector})")
            edge[(low, high)] = out.add(f"EDGE_CURVE('',#{vertex[low]},#{vertex[high]},#{line},.T.)")
        return out.add(f"ORIENTED_EDGE('',*,*,#{edge[(low, high)]},.{'T' if forward else 'F'}.)")

    shell: list[int] = []
    for normal, loops in _faces(points, triangles):
        bounds = []
        for k, loop in enumerate(loops):
            ring = [oriented(a, b) for a, b in zip(loop, loop[1:] + loop[:1], strict=True)]
            path = out.add(f"EDGE_LOOP('',{_list(ring)})")
            bounds.append(out.add(f"{'FACE_BOUND' if k else 'FACE_OUTER_BOUND'}('',#{path},.T.)"))
        across = points[loops[0][1]] - points[loops[0][0]]
        frame = (out.point(points[loops[0][0]]), out.direction(normal), out.direction(across / np.linalg.norm(across)))
        placed = out.add(f"AXIS2_PLACEMENT_3D('',#{frame[0]},#{frame[1]},#{frame[2]})")
        plane = out.add(f"PLANE('',#{placed})")
        shell.append(out.add(f"ADVANCED_FACE('',{_list(bounds)},#{plane},.T.)"))
    closed = out.add(f"CLOSED_SHELL('',{_list(shell)})")
    body = out.add(f"MANIFOLD_SOLID_BREP('{name}',#{closed})")
    _product(out, name, body)
    header = (
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('All Fronts hardware'),'2;1');\n"
        f"FILE_NAME('{name}.step','',(''),(''),'','','');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n"
    )
    return header + "\n".join(out.lines) + "\nENDSEC;\nEND-ISO-10303-21;\n"


def _product(out: _Lines, name: str, body: int) -> None:
    """What a STEP file says around its one body: the product, and that lengths are millimetres."""
    context = out.add("APPLICATION_CONTEXT('automotive design')")
    out.add(f"APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,#{context})")
    kind = out.add(f"PRODUCT_CONTEXT('',#{context},'mechanical')")
    product = out.add(f"PRODUCT('{name}','{name}','',(#{kind}))")
    formation = out.add(f"PRODUCT_DEFINITION_FORMATION('','',#{product})")
    stage = out.add(f"PRODUCT_DEFINITION_CONTEXT('part definition',#{context},'design')")
    definition = out.add(f"PRODUCT_DEFINITION('','',#{formation},#{stage})")
    shape = out.add(f"PRODUCT_DEFINITION_SHAPE('','',#{definition})")
    length = out.add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))")
    angle = out.add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
    solid = out.add("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())")
    accuracy = out.add(f"UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-05),#{length},'distance_accuracy_value','')")
    space = out.add(
        f"(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#{accuracy}))"
        f"GLOBAL_UNIT_ASSIGNED_CONTEXT((#{length},#{angle},#{solid}))REPRESENTATION_CONTEXT('',''))"
    )
    form = out.add(f"ADVANCED_BREP_SHAPE_REPRESENTATION('{name}',(#{body}),#{space})")
    out.add(f"SHAPE_DEFINITION_REPRESENTATION(#{shape},#{form})")
