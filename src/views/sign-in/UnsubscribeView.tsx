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
  const isForAddress = organisation === null || email === null;
  const texts = isForAddress ? describeBlock(enabled) : describeSubscription(organisation, email, enabled);
  return (
    <AuthLayout
      key={String(enabled)}
      title={texts.title}
      lead={
        <>
          <p className="[overflow-wrap:anywhere]">{texts.lead}</p>
          {!isForAddress && <p>{t("linkHelp")}</p>}
        </>
      }
    >
      <ErrorNotice error={change.error} className="mb-4" />
      <Button size="lg" variant={enabled ? "primary" : "secondary"} className="w-full" pending={change.isPending} onClick={() => change.mutate(!enabled)}>
        {texts.action}
      </Button>
    </AuthLayout>
  );
}

interface LinkTexts {
  title: string;
  lead: string;
  action: string;
}

const describeSubscription = (organisation: string, email: string, isOn: boolean): LinkTexts =>
  isOn
    ? { title: t("linkTitle"), lead: t("linkLead", { organisation, email }), action: t("unsubscribeAll") }
    : { title: t("linkDone"), lead: t("linkDoneHelp", { email }), action: t("resubscribe") };

/** The link of a confirmation email is for the address, whatever account it was entered for. */
const describeBlock = (isOn: boolean): LinkTexts =>
  isOn ? { title: t("blockTitle"), lead: t("blockLead"), action: t("block") } : { title: t("blockDone"), lead: t("blockDoneHelp"), action: t("unblock") };
