/** Parts that the views of a service with only the documented operations share. */
import { CloudAlert, FileQuestionMark, KeyRound } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { useClient } from "../client/client.ts";
import { t as tConnect } from "../lib/texts/connect.ts";
import { t } from "../lib/texts/read-only.ts";
import { describeReadError, type ReadErrorDescription } from "../queries/describe-error.ts";
import { Button, buttonClasses } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { TokenDialog } from "./TokenNotice.tsx";

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

const ICONS = { retry: CloudAlert, token: KeyRound, another: FileQuestionMark };

/** Shown in place of a chat or file that cannot be read; its main action is the one that may help. */
export function ReadOnlyError({ error, notFound, onRetry }: ReadOnlyErrorProps) {
  const missing: ReadErrorDescription = { title: t("notFound"), help: notFound, remedy: "another" };
  const { remedy, ...description } = error === null ? missing : describeReadError(error, notFound);
  const { hasToken } = useClient().api;
  const lacksToken = remedy === "token" && !hasToken;
  const { title, help } = lacksToken ? { title: tConnect("tokenMissing"), help: t("tokenMissingHelp") } : description;
  const Icon = ICONS[remedy];
  const [isEnteringToken, setIsEnteringToken] = useState(false);
  const canHelp = remedy === "retry";
  return (
    <div role="alert" data-token-refused={remedy === "token" || undefined} className="flex h-full flex-1 flex-col justify-center overflow-y-auto">
      <EmptyState
        icon={<Icon size={22} aria-hidden />}
        title={title}
        actions={
          <>
            {onRetry && canHelp && (
              <Button variant="primary" onClick={onRetry}>
                {t("retry")}
              </Button>
            )}
            {remedy === "token" && (
              <Button variant="primary" onClick={() => setIsEnteringToken(true)}>
                {tConnect(lacksToken ? "enterFirst" : "enterAnother")}
              </Button>
            )}
            {remedy !== "token" && (
              <Link to="/" className={buttonClasses(remedy === "another" ? "primary" : "secondary")}>
                {t("openAnother")}
              </Link>
            )}
            {onRetry && !canHelp && <Button onClick={onRetry}>{t("retry")}</Button>}
          </>
        }
      >
        {help}
      </EmptyState>
      {isEnteringToken && <TokenDialog onClose={() => setIsEnteringToken(false)} />}
    </div>
  );
}
