/** Where to go after signing in: a path of this page from the address, never another site. */
export function sanitizeNextPath(next: string | null | undefined): string {
  // "//host" and "/\host" are other sites to a browser; control characters are dropped before it looks.
  if (!next || !/^\/(?![/\\])/.test(next) || /\p{Cc}/u.test(next)) return "/";
  return next;
}

export const signInPath = (next: string) => (next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);
