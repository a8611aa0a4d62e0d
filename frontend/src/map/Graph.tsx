/** The lines of the map beside its rows: the present path heavy, others thin. Decoration: the rows say
 * in words what it shows. */

import type { Placed } from "./layout";
import classes from "./Map.module.css";

export const ROW = 44;
export const LANE = 22;

export function laneX(lane: number): number {
  return 14 + lane * LANE;
}

export function Graph({ rows }: { rows: readonly Placed[] }) {
  const lanes = Math.max(0, ...rows.map((row) => row.lane));
  const width = laneX(lanes) + 14;
  return (
    <svg
      className={classes.graph}
      width={width}
      height={rows.length * ROW}
      viewBox={`0 0 ${width} ${rows.length * ROW}`}
      aria-hidden="true"
    >
      {rows.map((row, at) => (
        <Edge key={row.item.id} row={row} at={at} before={rows[row.from ?? -1]} />
      ))}
      {rows.map((row, at) => (
        <Node key={row.item.id} row={row} at={at} />
      ))}
    </svg>
  );
}

function Edge({ row, at, before }: { row: Placed; at: number; before: Placed | undefined }) {
  if (before === undefined || row.from === null) return null;
  const [x, y] = [laneX(row.lane), middle(at)];
  const [fromX, fromY] = [laneX(before.lane), middle(row.from)];
  const bend = x === fromX ? "" : `V${y - ROW / 2} Q${fromX} ${y - 6} ${x} ${y - 6} `;
  return (
    <path
      className={classes.edge}
      data-path={row.item.on_path || undefined}
      d={`M${fromX} ${fromY} ${bend}V${y}`}
    />
  );
}

function Node({ row: { item, lane }, at }: { row: Placed; at: number }) {
  const [x, y] = [laneX(lane), middle(at)];
  const on = item.on_path || undefined;
  if (item.kind === "run") {
    return (
      <rect
        className={classes.run}
        data-path={on}
        x={x - 4}
        y={y - 9}
        width={8}
        height={18}
        rx={4}
      />
    );
  }
  const present = item.marks.includes("present");
  return (
    <circle
      className={classes.point}
      data-path={on}
      data-present={present || undefined}
      cx={x}
      cy={y}
      r={present ? 8 : 6}
    />
  );
}

function middle(row: number): number {
  return row * ROW + ROW / 2;
}
