import { Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import type { DeviceSession } from "../../../contract/access-records.ts";
import { browserOf } from "../../lib/browser-name.ts";
import { t } from "../../lib/messages/settings.ts";
import { formatAgo, formatShortDay } from "../../lib/time.ts";
import { LoadError } from "../../parts/load-error/LoadError.tsx";
import { SignOutButton } from "../../parts/sign-out/SignOutButton.tsx";
import { useUnsentCount } from "../../queries/outbox/use-outbox.ts";
import { explain } from "../../queries/problems.ts";
import { useSignOutEverywhere } from "../../queries/session/use-sign-out.ts";
import { useEndSession, useSessions } from "../../queries/sessions/use-sessions.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { RowsSkeleton } from "../../ui/RowsSkeleton.tsx";
import { Section } from "./components/Section.tsx";

const PHONES = new Set(["iPhone", "iPad", "Android"]);

function nameOf({ user_agent }: DeviceSession): string {
  const { browser, system } = browserOf(user_agent);
  if (browser && system) return t("browserOn", { browser, system });
  return browser ?? system ?? t("unknownBrowser");
}

/** The browsers in which this person is signed in. */
export function SessionsPage() {
  const sessions = useSessions();
  const end = useEndSession();
  const [asking, setAsking] = useState(false);
  const list = (sessions.data ?? []).toSorted((a, b) => Number(b.current) - Number(a.current) || b.last_seen_at.localeCompare(a.last_seen_at));
  return (
    <>
      <Section title={t("sessions")} lead={t("sessionsLead")}>
        {sessions.isPending && <RowsSkeleton rows={2} />}
        {sessions.isError && !sessions.data && <LoadError error={sessions.error} retry={() => void sessions.refetch()} />}
        {end.error && <Notice title={explain(end.error).title}>{explain(end.error).help}</Notice>}
        <ul>
          {list.map((session) => (
            <SessionRow key={session.id} session={session} pending={end.isPending && end.variables === session.id} onEnd={() => end.mutate(session.id)} />
          ))}
        </ul>
      </Section>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button look="danger" onClick={() => setAsking(true)}>
          {t("everywhere")}
        </Button>
        <span className="text-text-3">{t("everywhereHelp")}</span>
      </div>
      {asking && <EverywhereDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function SessionRow({ session, pending, onEnd }: { session: DeviceSession; pending: boolean; onEnd(): void }) {
  const name = nameOf(session);
  const Icon = PHONES.has(browserOf(session.user_agent).system ?? "") ? Smartphone : Monitor;
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
          {t("sessionSeen", { when: formatAgo(session.last_seen_at), address: session.address })} · {t("created", { day: formatShortDay(session.created_at) })}
        </p>
      </div>
      {session.current ? (
        <SignOutButton size="sm" />
      ) : (
        <Button size="sm" aria-label={t("signOutOf", { name })} pending={pending} onClick={onEnd}>
          {t("signOut")}
        </Button>
      )}
    </li>
  );
}

function EverywhereDialog({ onClose }: { onClose(): void }) {
  const everywhere = useSignOutEverywhere();
  const unsent = useUnsentCount();
  return (
    <ConfirmDialog
      title={t("everywhereTitle")}
      description={unsent > 0 ? `${t("everywhereHelp")} ${t("everywhereUnsent", { count: unsent })}` : t("everywhereHelp")}
      confirmLabel={t("everywhere")}
      cancelLabel={t("cancel")}
      pending={everywhere.isPending}
      onConfirm={() => everywhere.mutate()}
      onClose={onClose}
    >
      {everywhere.error && <Notice title={explain(everywhere.error).title}>{explain(everywhere.error).help}</Notice>}
    </ConfirmDialog>
  );
}
