import { Link } from "react-router";
import { ErrorNotice } from "../../components/ErrorNotice.tsx";
import { t } from "../../lib/texts/notification-delivery.ts";
import { readConfirmationFailure, useConfirmMailAddress, useMailConfirmationPreview } from "../../queries/notification-delivery/use-mail.ts";
import { Button, buttonClasses } from "../../ui/Button.tsx";
import { AuthLayout, UnusableLink, useLinkToken } from "./AuthLayout.tsx";
import { LinkError, LoadingLink } from "./LinkViews.tsx";

/** The page behind the link in a confirmation email; it works without a sign-in. */
export function ConfirmEmailView() {
  const token = useLinkToken();
  const link = useMailConfirmationPreview(token);
  const confirm = useConfirmMailAddress(token);
  if (!token) return <UnusableLink title={t("linkMissing")}>{t("confirmMissingHelp")}</UnusableLink>;
  if (link.error && !link.data) return <LinkError error={link.error} {...UNUSABLE[readConfirmationFailure(link.error)]} retry={() => void link.refetch()} />;
  if (!link.data) return <LoadingLink fields={["h-5 w-3/4", "h-10"]} />;
  const { organisation, username, email, confirmed } = link.data;
  if (confirmed)
    return (
      <AuthLayout key="confirmed" title={t("confirmDone")} lead={<p className="[overflow-wrap:anywhere]">{t("confirmDoneHelp", { organisation, email })}</p>}>
        <Link to="/settings/notifications" className={`${buttonClasses("secondary", "lg")} w-full`}>
          {t("confirmChoose")}
        </Link>
      </AuthLayout>
    );
  return (
    <AuthLayout
      title={t("confirmTitle")}
      lead={
        <>
          <p className="[overflow-wrap:anywhere]">{t("confirmLead", { person: username, organisation, email })}</p>
          <p>{t("confirmHelp")}</p>
        </>
      }
    >
      <ErrorNotice error={confirm.error} className="mb-4" />
      <Button size="lg" variant="primary" className="w-full" pending={confirm.isPending} onClick={() => confirm.mutate()}>
        {t("confirm")}
      </Button>
    </AuthLayout>
  );
}

const UNUSABLE = {
  expired: { invalidTitle: t("confirmExpired"), invalidHelp: t("confirmInvalidHelp") },
  replaced: { invalidTitle: t("confirmReplaced"), invalidHelp: t("confirmReplacedHelp") },
  invalid: { invalidTitle: t("linkInvalid"), invalidHelp: t("confirmInvalidHelp") },
};
