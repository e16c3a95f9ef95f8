/** Formats results as a table for the terminal, and as Markdown for `docs/benchmarks.md`. */
import type { Goal, Result } from "./benchmark.ts";
import type { Summary } from "./statistics.ts";

const HEADINGS = ["name", "work", "value (range)", "yardstick (range)", "ratio (range)", "must", "aim", "verdict"];

/** Three significant digits below 100, whole numbers above. */
export const formatNumber = (value: number): string =>
  Number.isNaN(value) ? "-" : Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));

const formatSummary = ({ median, lowest, highest }: Summary, unit: string): string => {
  const [middle, low, high] = [median, lowest, highest].map(formatNumber);
  return low === high ? `${middle}${unit}` : `${middle}${unit} (${low} to ${high})`;
};

/** "<= 200 kB", ">= 0.25 x" */
const formatLimit = ({ of, better }: Goal, limit: number | undefined, unit: string): string =>
  limit === undefined ? "" : `${better === "higher" ? ">=" : "<="} ${formatNumber(limit)}${of === "ratio" ? " x" : unit}`;

/** "1,234/s", but "12 ms" */
const spaced = (unit: string): string => (unit === "" || unit.startsWith("/") ? unit : ` ${unit}`);

/** Returns the cells of each row below the headings. */
export function tableRows(results: readonly Result[]): string[][] {
  return results.map(({ name, work, unit, value, yardstick, reference, ratio, goal, verdict, note }, index) => [
    results[index - 1]?.name === name ? "" : name,
    work,
    formatSummary(value, spaced(unit)),
    yardstick && reference ? `${yardstick.name}: ${formatSummary(reference, spaced(unit))}` : "",
    ratio ? formatSummary(ratio, " x") : "",
    goal ? formatLimit(goal, goal.must, spaced(unit)) : "",
    goal ? formatLimit(goal, goal.aim, spaced(unit)) : "",
    [verdict, note].filter(Boolean).join("; "),
  ]);
}

export function formatTable(results: readonly Result[]): string {
  const rows = [HEADINGS, ...tableRows(results)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const escapeCell = (cell: string): string => cell.replaceAll("|", "\\|");

export const formatMarkdown = (results: readonly Result[]): string =>
  [HEADINGS, HEADINGS.map(() => "---"), ...tableRows(results)].map((row) => `| ${row.map(escapeCell).join(" | ")} |`).join("\n");
