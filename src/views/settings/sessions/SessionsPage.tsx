import { Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import type { DeviceSession } from "../../../../contract/access-records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { ErrorNotice, LoadError } from "../../../components/ErrorNotice.tsx";
import { SignOutButton } from "../../../components/SignOutDialog.tsx";
import { parseUserAgent } from "../../../lib/browser.ts";
import { t } from "../../../lib/texts/settings.ts";
import { formatRelativeTime, formatShortDay } from "../../../lib/time.ts";
import { useEndSession, useSessions } from "../../../queries/session.ts";
import { useSignOutEverywhere } from "../../../sync/live/use-sign-out.ts";
import { useUnsentCount } from "../../../sync/outbox/use-outbox.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../ui/Dialog.tsx";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";
import { SettingsSection } from "../SettingsView.tsx";

const MOBILE_SYSTEMS = new Set(["iPhone", "iPad", "Android"]);

function sessionName({ user_agent }: DeviceSession): string {
  const { browser, system } = parseUserAgent(user_agent);
  if (browser && system) return t("browserOn", { browser, system });
  return browser ?? system ?? t("unknownBrowser");
}

/** Lists the browsers in which the user is signed in. */
export function SessionsPage() {
  const sessions = useSessions();
  const endSession = useEndSession();
  const [isConfirming, setIsConfirming] = useState(false);
  const sortedSessions = (sessions.data ?? []).toSorted((a, b) => Number(b.current) - Number(a.current) || b.last_seen_at.localeCompare(a.last_seen_at));
  return (
    <>
      <SettingsSection title={t("sessions")} lead={t("sessionsLead")}>
        {sessions.isPending && <RowsSkeleton rows={2} />}
        {sessions.isError && !sessions.data && <LoadError error={sessions.error} retry={() => void sessions.refetch()} />}
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
      </SettingsSection>
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
  const name = sessionName(session);
  const Icon = MOBILE_SYSTEMS.has(parseUserAgent(session.user_agent).system ?? "") ? Smartphone : Monitor;
  return (
    <li className="-mx-4 flex min-h-15 items-center gap-3 border-b border-line px-4 py-2 last:border-0">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-hover text-text-2">
        <Icon size={16} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{name}</span>
          {session.current && (
            <span className="rounded-full bg-accent-soft px-2 text-xs font-medium whitespace-nowrap text-accent-text">{t("thisBrowser")}</span>
          )}
        </p>
        <p className="text-sm text-text-3">
          {t("sessionSeen", { when: formatRelativeTime(session.last_seen_at, now), address: session.address })} ·{" "}
          {t("signedIn", { day: formatShortDay(session.created_at, now) })}
        </p>
      </div>
      {session.current ? (
        <SignOutButton size="sm" />
      ) : (
        <Button size="sm" aria-label={t("signOutOf", { name })} pending={isPending} onClick={onEnd}>
          {t("signOut")}
        </Button>
      )}
    </li>
  );
}

function SignOutEverywhereDialog({ onClose }: { onClose(): void }) {
  const signOutEverywhere = useSignOutEverywhere();
  const unsentCount = useUnsentCount();
  return (
    <ConfirmDialog
      title={t("everywhereTitle")}
      description={unsentCount > 0 ? `${t("everywhereHelp")} ${t("everywhereUnsent", { count: unsentCount })}` : t("everywhereHelp")}
      confirmLabel={t("everywhere")}
      cancelLabel={t("cancel")}
      pending={signOutEverywhere.isPending}
      onConfirm={() => signOutEverywhere.mutate()}
      onClose={onClose}
    >
      <ErrorNotice error={signOutEverywhere.error} />
    </ConfirmDialog>
  );
}
