import { LoadingLink, LinkError } from "./LinkViews.tsx";
import { ErrorNotice } from "../../components/ErrorNotice.tsx";
import { t } from "../../lib/texts/notification-delivery.ts";
import { useChangeMailByLink, useMailLinkPreview } from "../../queries/notification-delivery/use-mail.ts";
import { Button } from "../../ui/Button.tsx";
import { AuthLayout, UnusableLink, useLinkToken } from "./AuthLayout.tsx";

/** The page behind the link at the end of each email; it works without a sign-in. */
export function UnsubscribeView() {
  const token = useLinkToken();
  const link = useMailLinkPreview(token);
  const change = useChangeMailByLink(token);
  if (!token) return <UnusableLink title={t("linkMissing")}>{t("linkMissingHelp")}</UnusableLink>;
  if (link.error && !link.data)
    return <LinkError error={link.error} invalidTitle={t("linkInvalid")} invalidHelp={t("linkInvalidHelp")} retry={() => void link.refetch()} />;
  if (!link.data) return <LoadingLink fields={["h-5 w-3/4", "h-10"]} />;
  const { organisation, email, enabled } = link.data;
  return (
    <AuthLayout
      key={String(enabled)}
      title={enabled ? t("linkTitle") : t("linkDone")}
      lead={
        <>
          <p className="[overflow-wrap:anywhere]">{enabled ? t("linkLead", { organisation, email }) : t("linkDoneHelp", { email })}</p>
          <p>{t("linkHelp")}</p>
        </>
      }
    >
      <ErrorNotice error={change.error} className="mb-4" />
      <Button size="lg" variant={enabled ? "primary" : "secondary"} className="w-full" pending={change.isPending} onClick={() => change.mutate(!enabled)}>
        {enabled ? t("unsubscribeAll") : t("resubscribe")}
      </Button>
    </AuthLayout>
  );
}
