/** Validates the path to open after sign-in, so that the URL cannot lead to another site. */
export function sanitizeNextPath(next: string | null | undefined): string {
  // Browsers treat "//host" and "/\host" as other sites, and drop control characters before parsing.
  if (!next || !/^\/(?![/\\])/.test(next) || /\p{Cc}/u.test(next)) return "/";
  return next;
}

export const signInPath = (next: string) => (next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);

export type Strength = "empty" | "short" | "fair" | "good" | "strong";

/** Estimates a password's strength as a hint while typing; the service alone decides what it rejects. */
export function strengthOf(password: string, minimum: number): Strength {
  const length = [...password].length;
  if (length === 0) return "empty";
  if (length < minimum) return "short";
  const distinct = new Set(password.toLowerCase()).size;
  // Long passwords with few distinct characters ("aaaaaaaaaaaa", "121212121212") are guessed early.
  if (distinct < 6) return "fair";
  if (length >= minimum + 6 && distinct >= 10) return "strong";
  return length >= minimum + 2 && distinct >= 8 ? "good" : "fair";
}
