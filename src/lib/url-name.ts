/** Shortens a URL to the part that distinguishes it: "hooks.distro.example/talkback". */
export function formatUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, search } = new URL(url);
  return `${host}${pathname === "/" ? "" : pathname}${search}`;
}
