/** Validates the path to open after sign-in, so that the URL cannot lead to another site. */
export function sanitizeNextPath(next: string | null | undefined): string {
  // Browsers treat "//host" and "/\host" as other sites, and drop control characters before parsing.
  if (!next || !/^\/(?![/\\])/.test(next) || /\p{Cc}/u.test(next)) return "/";
  return next;
}

export const signInPath = (next: string) => (next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);
