/** Validates the path to open after sign-in, so that the URL cannot lead to another site. */
export function sanitizeNextPath(next: string | null | undefined): string {
  // Browsers treat "//host" and "/\host" as other sites, and drop control characters before parsing.
  if (!next || !/^\/(?![/\\])/.test(next) || /\p{Cc}/u.test(next)) return "/";
  return next;
}

export const signInPath = (next: string) => (next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);

/** Returns whether a path must be opened by loading its document: the content security policy of the consent page allows its form to lead to the app. */
export const needsDocument = (path: string): boolean => /^\/authorize\/?(?![^?#])/.test(path);
