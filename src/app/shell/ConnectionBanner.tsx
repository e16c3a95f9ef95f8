import { CircleAlert, Info } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useClient } from "../../client/client.ts";
import { classNames } from "../../lib/class-names.ts";
import { useStore } from "../../lib/store.ts";
import { t } from "../../lib/texts/shell.ts";
import { formatTime } from "../../lib/time.ts";
import { useHasFeature } from "../../queries/service.ts";
import { type ConnectionState, useConnection } from "../../sync/live/use-connection.ts";
import { announce } from "../../ui/announce.ts";

/** Interruptions shorter than this are not shown. */
const SHOW_DELAY_MS = 2_000;

/** Shows a thin line above everything while the connection is not live. */
export function ConnectionBanner() {
  const connection = useConnection();
  // A service without the channel is polled for as long as the page is open, which is no problem of the connection.
  const hasChannel = useHasFeature("live");
  // `TokenNotice` reports a refused token.
  const isTokenRefused = useStore(useClient().api.isTokenRefused);
  const hasProblem = !isTokenRefused && connection.state !== "live" && (hasChannel || connection.state !== "polling");
  const [isVisible, setIsVisible] = useState(false);
  const announced = useRef(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsVisible(hasProblem), hasProblem ? SHOW_DELAY_MS : 0);
    return () => clearTimeout(timer);
  }, [hasProblem]);
  useEffect(() => {
    // Announce the text, because not every screen reader reads a live region that appears together with its text.
    if (isVisible && connection.state === "offline" && !announced.current) {
      announced.current = true;
      announce(statusText(connection));
    } else if (connection.state === "live" && announced.current) {
      announced.current = false;
      announce(t("backOnline"));
    }
  }, [isVisible, connection]);

  if (!isVisible || !hasProblem) return null;
  const offline = connection.state === "offline";
  const Icon = offline ? CircleAlert : Info;
  return (
    // Not a live region, because the effect above announces the text and a screen reader would read it twice.
    <section
      aria-label={t("connection")}
      className={classNames(
        "flex min-h-8 shrink-0 items-center justify-center gap-2 px-4 py-1 text-sm",
        offline ? "bg-danger/15 text-danger" : "bg-hover text-text-2",
      )}
    >
      <Icon size={15} aria-hidden className="shrink-0" />
      <span className={offline ? "text-text" : undefined}>{statusText(connection)}</span>
    </section>
  );
}

function statusText({ state, since, waitingMessages, waitingComments }: ConnectionState): string {
  if (state === "polling") return t("polling");
  if (state === "connecting") return t("connecting");
  const first = since === null ? t("offlineNow") : t("offline", { time: formatTime(since) });
  return `${first} ${waitingText(waitingMessages, waitingComments) ?? t("savedOffline")}`;
}

/** Says what will be sent; null for nothing. */
function waitingText(messages: number, comments: number): string | null {
  if (messages > 0 && comments > 0)
    return t("waitingBoth", { messages: t("messageCount", { count: messages }), comments: t("commentCount", { count: comments }) });
  if (messages > 0) return t("waiting", { count: messages });
  return comments > 0 ? t("waitingComments", { count: comments }) : null;
}

/** Explains what is missing if the page was loaded over plain http from another machine. */
export function InsecureConnectionBanner() {
  if (isSecureContext) return null;
  return (
    <p className="flex min-h-8 shrink-0 items-center justify-center gap-2 bg-accent-soft px-4 py-1 text-sm text-text">
      <Info size={15} aria-hidden className="shrink-0 text-accent-text" />
      {t("insecure")}
    </p>
  );
}
