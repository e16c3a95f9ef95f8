/** A hint while a password is typed. The service decides for itself what it refuses. */
export type Strength = "empty" | "short" | "fair" | "good" | "strong";

export function strengthOf(password: string, minimum: number): Strength {
  const length = [...password].length;
  if (length === 0) return "empty";
  if (length < minimum) return "short";
  const distinct = new Set(password.toLowerCase()).size;
  // Many characters but few different ones ("aaaaaaaaaaaa", "121212121212") are guessed early.
  if (distinct < 6) return "fair";
  if (length >= minimum + 6 && distinct >= 10) return "strong";
  return length >= minimum + 2 && distinct >= 8 ? "good" : "fair";
}
