/** A day as the contract lets it in, as its midnight in UTC. What is not given stays so. */
export function parseDay(day: string | null | undefined): number | null | undefined {
  return typeof day === "string" ? Date.parse(day.slice(0, "2026-03-02".length)) : day;
}
