import { formatBadge } from "../lib/format.ts";
import { useUnreadCounts } from "../queries/projects.ts";

/** Sets the page title everywhere in the app, with the unread count of all projects in front. */
export function PageTitle({ text }: { text: string }) {
  const { unread } = useUnreadCounts();
  return <title>{unread > 0 ? `(${formatBadge(unread)}) ${text}` : text}</title>;
}
