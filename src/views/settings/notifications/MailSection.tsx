import { Mail } from "lucide-react";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { ListRow, ListSection, ListState, RowIcon } from "../../../components/ListSection.tsx";
import { t } from "../../../lib/texts/notification-delivery.ts";
import { useMailSettings, useUpdateMailSettings } from "../../../queries/notification-delivery/use-mail.ts";
import { Button } from "../../../ui/Button.tsx";

/** Shows where emails go, and unsubscribes from all of them. */
export function MailSection() {
  const settings = useMailSettings();
  const update = useUpdateMailSettings();
  return (
    <ListSection title={t("mailTitle")} lead={t("mailLead")}>
      <ListState query={settings} rows={1} />
      <ErrorNotice error={update.error} className="my-3" />
      {settings.data && (
        <ul>
          <ListRow
            picture={
              <RowIcon>
                <Mail size={16} aria-hidden />
              </RowIcon>
            }
            title={<span className="font-medium [overflow-wrap:anywhere]">{settings.data.email}</span>}
            details={<span role="status">{settings.data.enabled ? t("mailOn") : t("mailOff")}</span>}
          >
            <Button
              size="sm"
              variant={settings.data.enabled ? "secondary" : "primary"}
              pending={update.isPending}
              onClick={() => update.mutate(!settings.data.enabled)}
            >
              {settings.data.enabled ? t("unsubscribe") : t("resubscribe")}
            </Button>
          </ListRow>
        </ul>
      )}
    </ListSection>
  );
}
