/** Converts the schedules that the task form offers, a time on days of the week, to cron expressions and back. */

export interface WeeklySchedule {
  /** 1 for Monday to 7 for Sunday, in order; all seven for every day. */
  days: number[];
  /** "09:00" */
  time: string;
}

const SIMPLE_CRON = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-7](?:[-,][0-7])*)$/;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** "0 9 * * 1-5" for 09:00 from Monday to Friday. */
export function toCron({ days, time }: WeeklySchedule): string {
  const [hour, minute] = time.split(":").map(Number);
  const sorted = [...new Set(days)].toSorted((a, b) => a - b);
  const isRange = sorted.length > 2 && sorted.at(-1) === sorted[0]! + sorted.length - 1;
  const weekdays = sorted.length === 7 ? "*" : isRange ? `${sorted[0]}-${sorted.at(-1)}` : sorted.join(",");
  return `${minute} ${hour} * * ${weekdays}`;
}

/** Returns null for an expression that the form cannot show. */
export function parseCron(cron: string): WeeklySchedule | null {
  const match = SIMPLE_CRON.exec(cron.trim().replace(/\s+/g, " "));
  if (!match) return null;
  const [minute, hour] = [Number(match[1]), Number(match[2])];
  const days = match[3] === "*" ? EVERY_DAY : parseWeekdays(match[3]!);
  if (minute > 59 || hour > 23 || days === null) return null;
  return { days, time: `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}` };
}

/** Cron has two numbers for Sunday, 0 and 7. */
function parseWeekdays(list: string): number[] | null {
  const days = new Set<number>();
  for (const part of list.split(",")) {
    const [from, to = from, ...rest] = part.split("-").map(Number);
    if (rest.length > 0 || from! > to!) return null;
    for (let day = from!; day <= to!; day += 1) days.add(day === 0 ? 7 : day);
  }
  return [...days].toSorted((a, b) => a - b);
}
