/** "hooks.distro.example/talkback": what tells one web address from another, without what they all begin with. */
export function formatUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, search } = new URL(url);
  return `${host}${pathname === "/" ? "" : pathname}${search}`;
}
