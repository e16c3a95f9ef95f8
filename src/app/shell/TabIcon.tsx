import { useEffect } from "react";
import { useUnreadNotificationCount } from "../../queries/notifications/use-notifications.ts";
import { useUnreadCounts } from "../../queries/projects.ts";

/** Puts a dot on the icon of the browser's tab: red if something concerns the person, white if there are unread messages. Shows nothing in the page. */
export function TabIcon(): null {
  const { unread, mentions } = useUnreadCounts();
  const notifications = useUnreadNotificationCount();
  const icon = mentions > 0 || notifications > 0 ? "/icon-mention.svg" : unread > 0 ? "/icon-unread.svg" : "/icon.svg";
  useEffect(() => {
    document.querySelector("link[rel=icon]")?.setAttribute("href", icon);
    return () => document.querySelector("link[rel=icon]")?.setAttribute("href", "/icon.svg");
  }, [icon]);
  return null;
}
