import { CircleAlert, Info } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/shell.ts";
import { formatClock } from "../../lib/time.ts";
import { useConnection, type ConnectionState } from "../../queries/live/connection.ts";
import { announce } from "../../ui/announce.ts";

/** A blink of the network is not worth a line. */
const PATIENCE_MS = 2_000;

function words({ state, since, waiting }: ConnectionState): string {
  if (state === "polling") return t("polling");
  if (state === "connecting") return t("connecting");
  const first = since === null ? t("offlineNow") : t("offline", { time: formatClock(since) });
  return `${first} ${waiting > 0 ? t("waiting", { count: waiting }) : t("kept")}`;
}

/** A thin line over everything while the connection is not what it should be. */
export function ConnectionLine() {
  const connection = useConnection();
  const troubled = connection.state !== "live";
  const [shown, setShown] = useState(false);
  const told = useRef(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(troubled), troubled ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [troubled]);
  useEffect(() => {
    // A line that appears together with its words is not read by every screen reader.
    if (shown && connection.state === "offline" && !told.current) {
      told.current = true;
      announce(words(connection));
    } else if (connection.state === "live" && told.current) {
      told.current = false;
      announce(t("backOnline"));
    }
  }, [shown, connection]);

  if (!shown || !troubled) return null;
  const offline = connection.state === "offline";
  const Icon = offline ? CircleAlert : Info;
  return (
    // Told by the announcer: a live region that comes and goes with its words is not read everywhere, and two would say it twice.
    <section
      aria-label={t("connection")}
      className={classes(
        "flex min-h-8 shrink-0 items-center justify-center gap-2 px-4 py-1 text-sm",
        offline ? "bg-danger/15 text-danger" : "bg-hover text-text-2",
      )}
    >
      <Icon size={15} aria-hidden className="shrink-0" />
      <span className={offline ? "text-text" : undefined}>{words(connection)}</span>
    </section>
  );
}
