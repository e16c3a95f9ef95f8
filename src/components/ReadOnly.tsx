/** Parts that the views of a service with only the documented operations share. */
import { CloudAlert, FileQuestionMark } from "lucide-react";
import { Link } from "react-router";
import { useClient } from "../client/client.ts";
import { t } from "../lib/texts/read-only.ts";
import { describeReadError } from "../queries/describe-error.ts";
import type { Person } from "../queries/members.ts";
import { Button, buttonClasses } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";

/** Names accounts by their ids, since the document has no operation that reads a name. 0 is an unknown account. */
export const personOfAccount = (accountId: number): Person => ({
  name: accountId > 0 ? t("account", { id: String(accountId) }) : t("unknownAccount"),
  avatarUrl: null,
  // Names that all begin with "Account" have the same initials.
  initials: accountId > 0 ? String(accountId).slice(-2) : "?",
});

/** Sets the page's title. */
export function ReadOnlyTitle({ text }: { text: string }) {
  const { api } = useClient();
  return <title>{t("title", { name: text, service: new URL(api.serviceUrl()).host })}</title>;
}

/** Returns the id in a URL; null if it is none. */
export function parseId(segment: string | undefined): number | null {
  const id = Number(segment);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

interface ReadOnlyErrorProps {
  /** Null if the URL has no valid id. */
  error: unknown;
  /** Explains that there is no such record. */
  notFound: string;
  onRetry?: () => void;
}

/** Shown in place of a chat or file that cannot be read. */
export function ReadOnlyError({ error, notFound, onRetry }: ReadOnlyErrorProps) {
  const { title, help } = error === null ? { title: t("notFound"), help: notFound } : describeReadError(error, notFound);
  const Icon = error === null ? FileQuestionMark : CloudAlert;
  return (
    <div role="alert" className="flex h-full flex-1 flex-col justify-center overflow-y-auto">
      <EmptyState
        icon={<Icon size={22} aria-hidden />}
        title={title}
        actions={
          <>
            {onRetry && (
              <Button variant="primary" onClick={onRetry}>
                {t("retry")}
              </Button>
            )}
            <Link to="/" className={buttonClasses()}>
              {t("openAnother")}
            </Link>
          </>
        }
      >
        {help}
      </EmptyState>
    </div>
  );
}
