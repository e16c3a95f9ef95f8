import { NOTIFICATION_KINDS, type NotificationSettings } from "../../../../contract/notification-records.ts";
import { ListSection, ListState } from "../../../components/ListSection.tsx";
import { t } from "../../../lib/texts/notifications.ts";
import { useNotificationSettings } from "../../../queries/notifications/use-settings.ts";
import { useCan } from "../../../queries/permissions.ts";
import { useHasFeature } from "../../../queries/service.ts";
import { ChannelTable } from "./ChannelTable.tsx";
import { MailSection } from "./MailSection.tsx";
import { ProjectSettings } from "./ProjectSettings.tsx";
import { PushSection } from "./PushSection.tsx";
import { QuietTimes } from "./QuietTimes.tsx";
import { useChangeSettings } from "./use-change-settings.ts";

/** Which notifications the person gets, where, and when not; each change applies at once. */
export function NotificationsPage() {
  const query = useNotificationSettings();
  const hasPush = useHasFeature("push");
  const hasMail = useHasFeature("mail");
  return (
    <>
      <ListSection title={t("settingsTitle")} lead={t("settingsLead")}>
        <ListState query={query} rows={6} />
        {query.data && <AccountChannels settings={query.data} />}
      </ListSection>
      {hasPush && <PushSection />}
      {hasMail && <MailSection />}
      {query.data && <QuietTimes settings={query.data} />}
      {query.data && <ProjectSettings account={query.data} />}
    </>
  );
}

function AccountChannels({ settings }: { settings: NotificationSettings }) {
  const change = useChangeSettings();
  const canManageWebhooks = useCan("webhook.manage");
  const canInvite = useCan("invite.manage");
  const kinds = NOTIFICATION_KINDS.filter((kind) => (kind !== "webhook_disabled" || canManageWebhooks) && (kind !== "invite_accepted" || canInvite));
  return <ChannelTable kinds={kinds} channelsOf={(kind) => settings.kinds[kind]} onChange={(kind, channels) => change({ kinds: { [kind]: channels } })} />;
}
