import { formatBadge } from "../../lib/numbers.ts";
import { useUnreadCount } from "../../queries/projects/use-projects.ts";

/** The page's name in the browser's tab, behind how much is unread in all projects together: everywhere in the app. */
export function PageTitle({ text }: { text: string }) {
  const unread = useUnreadCount();
  return <title>{unread > 0 ? `(${formatBadge(unread)}) ${text}` : text}</title>;
}
