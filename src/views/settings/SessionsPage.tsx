import { useState } from "react";
import type { DeviceSession } from "../../../contract/access-records.ts";
import { useServiceTime } from "../../client/client.ts";
import { ErrorNotice } from "../../components/ErrorNotice.tsx";
import { ConfirmAction } from "../../components/FormDialog.tsx";
import { ListSection, ListState } from "../../components/ListSection.tsx";
import { SignOutButton } from "../../components/SignOutDialog.tsx";
import { t } from "../../lib/texts/settings.ts";
import { formatRelativeTime, formatShortDay } from "../../lib/time.ts";
import { useEndSession, useSessions } from "../../queries/session.ts";
import { useSignOutEverywhere } from "../../sync/live/use-sign-out.ts";
import { useUnsentCount } from "../../sync/outbox/use-outbox.ts";
import { Button } from "../../ui/Button.tsx";
import { BrowserRow } from "./BrowserRow.tsx";

/** Lists the browsers in which the user is signed in. */
export function SessionsPage() {
  const sessions = useSessions();
  const endSession = useEndSession();
  const [isConfirming, setIsConfirming] = useState(false);
  const sortedSessions = (sessions.data ?? []).toSorted((a, b) => Number(b.current) - Number(a.current) || b.last_seen_at.localeCompare(a.last_seen_at));
  return (
    <>
      <ListSection title={t("sessions")} lead={t("sessionsLead")}>
        <ListState query={sessions} rows={2} />
        <ErrorNotice error={endSession.error} />
        <ul>
          {sortedSessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isPending={endSession.isPending && endSession.variables === session.id}
              onEnd={() => endSession.mutate(session.id)}
            />
          ))}
        </ul>
      </ListSection>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="danger" onClick={() => setIsConfirming(true)}>
          {t("everywhere")}
        </Button>
        <span className="text-text-3">{t("everywhereHelp")}</span>
      </div>
      {isConfirming && <SignOutEverywhereDialog onClose={() => setIsConfirming(false)} />}
    </>
  );
}

function SessionRow({ session, isPending, onEnd }: { session: DeviceSession; isPending: boolean; onEnd(): void }) {
  const now = useServiceTime();
  return (
    <BrowserRow
      userAgent={session.user_agent}
      badge={
        session.current && <span className="rounded-full bg-accent-soft px-2 text-xs font-medium whitespace-nowrap text-accent-text">{t("thisBrowser")}</span>
      }
      details={
        <>
          {t("sessionSeen", { when: formatRelativeTime(session.last_seen_at, now), address: session.address })} ·{" "}
          {t("signedIn", { day: formatShortDay(session.created_at, now) })}
        </>
      }
    >
      {(name) =>
        session.current ? (
          <SignOutButton size="sm" />
        ) : (
          <Button size="sm" aria-label={t("signOutOf", { name })} pending={isPending} onClick={onEnd}>
            {t("signOut")}
          </Button>
        )
      }
    </BrowserRow>
  );
}

function SignOutEverywhereDialog({ onClose }: { onClose(): void }) {
  const signOutEverywhere = useSignOutEverywhere();
  const unsentCount = useUnsentCount();
  return (
    <ConfirmAction
      action={signOutEverywhere}
      title={t("everywhereTitle")}
      description={unsentCount > 0 ? `${t("everywhereHelp")} ${t("everywhereUnsent", { count: unsentCount })}` : t("everywhereHelp")}
      confirmLabel={t("everywhere")}
      onConfirm={() => signOutEverywhere.mutate()}
      onClose={onClose}
    />
  );
}
