import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import { useClient } from "../../client/client.ts";
import { onNotificationOpened } from "../../lib/browser-push.ts";
import { renewPush } from "../../queries/notification-delivery/use-push.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useSession } from "../../queries/session.ts";

/** Opens the pages of push messages that are clicked, and keeps this browser subscribed to them if the person has turned them on. Shows nothing. */
export function PushConnection(): null {
  const client = useClient();
  const { account } = useSession();
  const hasPush = useHasFeature("push");
  const navigate = useNavigate();
  const open = useEffectEvent((path: string) => void navigate(path));
  useEffect(() => onNotificationOpened(open), []);
  useEffect(() => {
    // If it fails, the next page tries again, and the settings show that push messages are off.
    if (hasPush) renewPush(client, account.id).catch(() => undefined);
  }, [client, account.id, hasPush]);
  return null;
}
