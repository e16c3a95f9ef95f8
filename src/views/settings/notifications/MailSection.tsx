import { Mail } from "lucide-react";
import { Link } from "react-router";
import type { MailSettings } from "../../../../contract/notification-delivery-records.ts";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { ListRow, ListSection, ListState, RowIcon } from "../../../components/ListSection.tsx";
import { t } from "../../../lib/texts/notification-delivery.ts";
import { useMailSettings, useSendMailConfirmation, useUpdateMailSettings } from "../../../queries/notification-delivery/use-mail.ts";
import { Button, buttonClasses } from "../../../ui/Button.tsx";

/** Shows where emails go, confirms the address, and unsubscribes from all emails. */
export function MailSection() {
  const settings = useMailSettings();
  const update = useUpdateMailSettings();
  const send = useSendMailConfirmation();
  const sendError = settings.data?.address_status === "confirmed" ? null : send.error;
  return (
    <ListSection title={t("mailTitle")} lead={t("mailLead")}>
      <ListState query={settings} rows={1} />
      <ErrorNotice error={update.error ?? sendError} className="my-3" />
      {settings.data && (
        <ul>
          <ListRow
            wraps
            picture={
              <RowIcon>
                <Mail size={16} aria-hidden />
              </RowIcon>
            }
            title={<span className="font-medium [overflow-wrap:anywhere]">{settings.data.email}</span>}
            details={<span role="status">{describeState(settings.data)}</span>}
          >
            <Action settings={settings.data} update={update} send={send} />
          </ListRow>
        </ul>
      )}
    </ListSection>
  );
}

const STATES: Readonly<Record<MailSettings["address_status"], string>> = {
  unconfirmed: t("addressUnconfirmed"),
  confirmation_sent: t("addressSent"),
  undeliverable: t("addressUndeliverable"),
  confirmed: t("mailOn"),
  unsubscribed_by_link: t("addressUnsubscribed"),
  blocked: t("addressBlocked"),
};
const describeState = ({ enabled, address_status }: MailSettings): string => (enabled ? STATES[address_status] : t("mailOff"));

interface ActionProps {
  settings: MailSettings;
  update: ReturnType<typeof useUpdateMailSettings>;
  send: ReturnType<typeof useSendMailConfirmation>;
}

function Action({ settings: { enabled, address_status }, update, send }: ActionProps) {
  if (!enabled || address_status === "confirmed")
    return (
      <Button size="sm" variant={enabled ? "secondary" : "primary"} pending={update.isPending} onClick={() => update.mutate(!enabled)}>
        {enabled ? t("unsubscribe") : t("resubscribe")}
      </Button>
    );
  if (address_status === "blocked")
    return (
      <Link to="/settings/profile" className={buttonClasses("secondary", "sm")}>
        {t("editProfile")}
      </Link>
    );
  const isRepeated = address_status === "confirmation_sent" || address_status === "undeliverable";
  return (
    <Button size="sm" variant={isRepeated ? "secondary" : "primary"} pending={send.isPending} onClick={() => send.mutate()}>
      {isRepeated ? t("sendAgain") : t("sendConfirmation")}
    </Button>
  );
}
