/** Times of the story, which ends when the demo is created. */
import { DAY } from "../../lib/clock.ts";

/** Returns the timestamp of local time `at`, `day` days before `now`, but never in the future. */
export function storyTime(now: number, day: number, at: string): number {
  const date = new Date(now - day * DAY);
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  date.setHours(hours, minutes, 0, 0);
  return Math.min(date.getTime(), now);
}
