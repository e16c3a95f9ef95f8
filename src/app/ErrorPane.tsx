import { useEffect, useRef } from "react";
import { isRouteErrorResponse, Link, useNavigate, useRouteError } from "react-router";
import { PageTitle } from "../components/PageTitle.tsx";
import { isChunkLoadError } from "../lib/page-scripts.ts";
import { t } from "../lib/texts/shell.ts";
import { describeLoadError, isServiceError, isUnavailable } from "../queries/describe-error.ts";
import { usePageOutdated } from "../queries/service.ts";
import { useLeaveWarning } from "../sync/outbox/use-outbox.ts";
import { useReloadWhenReachable } from "./use-reload-when-reachable.ts";
import { Button, buttonClasses } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import { NotFound } from "./NotFound.tsx";

/** Replaces a view that failed: shows what happened, what was saved and how to continue. */
export function ErrorPane() {
  const error = useRouteError();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const isChunkMissing = isChunkLoadError(error);
  const outdated = usePageOutdated(isChunkMissing);
  // The shell warns about unsaved entries itself, except when the whole shell failed.
  const hasUnsaved = useLeaveWarning();
  // Browsers do not repeat a failed import, so the page has to be loaded again.
  useReloadWhenReachable(isChunkMissing || isUnavailable(error), { hasUnsaved, isOutage: !isChunkMissing });
  useEffect(() => heading.current?.focus(), []);
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  const explanation = isServiceError(error) ? describeLoadError(error) : null;
  const [title, help] = explanation
    ? [explanation.title, explanation.help]
    : outdated
      ? [t("updatedTitle"), t("updatedHelp")]
      : isChunkMissing
        ? [t("viewFailedTitle"), t("viewFailedHelp")]
        : [t("errorTitle"), t("errorHelp")];
  return (
    <div className="flex h-full items-center overflow-y-auto bg-surface">
      <PageTitle text={`${title} · ${t("brand")}`} />
      <div className="mx-auto w-full max-w-120 p-5">
        <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold">
          {title}
        </h1>
        <p className="mt-2 text-text-2">{help}</p>
        {!explanation && !isChunkMissing && error instanceof Error && (
          <Notice className="mt-4">
            <span className="font-mono text-sm break-words">{error.message}</span>
          </Notice>
        )}
        <div className="mt-5 flex gap-2">
          <Button variant="primary" onClick={() => location.reload()}>
            {t("reload")}
          </Button>
          <Button onClick={() => void navigate(-1)}>{t("goBack")}</Button>
          {explanation && (
            <Link reloadDocument to="/connect" className={buttonClasses("ghost")}>
              {t("otherService")}
            </Link>
          )}
        </div>
      </div>
    </div>
  );
}
