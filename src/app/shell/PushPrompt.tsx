import { BellRing } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useClient } from "../../client/client.ts";
import { t } from "../../lib/texts/push-prompt.ts";
import { getPushPermission, getPushSupport } from "../../lib/browser-push.ts";
import { PushDeniedError, useEnablePush, usePush } from "../../queries/notification-delivery/use-push.ts";
import { useKnownNotificationCount } from "../../queries/notifications/use-notifications.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useSession } from "../../queries/session.ts";
import { Button } from "../../ui/Button.tsx";
import { focusHeadingIfLost } from "../../ui/focus-heading.ts";
import { useToasts } from "../../ui/toast.ts";

/** After "Not now" it asks again after so many milliseconds. */
const PAUSE_MS = 30 * 86_400_000;

/** Offers push messages when somebody has just called for the person, or in the list of notifications. The browser asks only after a click on it. */
export function PushPrompt() {
  const { account } = useSession();
  const { serviceStorage, clock } = useClient();
  const name = `push-asked.${account.id}` as const;
  const [isAnswered, setAnswered] = useState(() => clock.now() - Number(serviceStorage.get(name)) < PAUSE_MS);
  const isMoment = useIsMoment();
  // Once the person has allowed notifications here, the rest of turning them on may still fail and can be repeated.
  const [isTurningOn, setTurningOn] = useState(false);
  const hasPush = useHasFeature("push");
  if (!isMoment || isAnswered || !hasPush || getPushSupport() !== "supported") return null;
  // Reading the permission takes the browser milliseconds, which would delay every render.
  if (!isTurningOn && getPushPermission() !== "default") return null;
  const answer = () => {
    serviceStorage.set(name, String(clock.now()));
    setAnswered(true);
    focusHeadingIfLost();
  };
  return <Prompt accountId={account.id} onTurnOn={() => setTurningOn(true)} onAnswer={answer} />;
}

/** Returns true once a notification has arrived while the page is open, and while the page lists notifications of which some are unread. */
function useIsMoment(): boolean {
  const count = useKnownNotificationCount();
  const isList = useLocation().pathname === "/notifications";
  const previous = useRef<number>(undefined);
  const [hasArrived, setArrived] = useState(false);
  useEffect(() => {
    // The first count is what was there before.
    if (previous.current !== undefined && (count ?? 0) > previous.current) setArrived(true);
    previous.current = count;
  }, [count]);
  return hasArrived || (isList && (count ?? 0) > 0);
}

function Prompt({ accountId, onTurnOn, onAnswer }: { accountId: number; onTurnOn(): void; onAnswer(): void }) {
  const { state } = usePush();
  const enable = useEnablePush(accountId);
  const toasts = useToasts();
  if (state !== "off") return null;
  const turnOn = () => {
    onTurnOn();
    enable.mutate(undefined, {
      onSuccess() {
        toasts.show({ text: t("on") });
        onAnswer();
      },
      onError(error) {
        const isDenied = error instanceof PushDeniedError;
        toasts.showError(t(isDenied ? "denied" : "failed"));
        if (isDenied) onAnswer();
      },
    });
  };
  return (
    <section
      aria-label={t("label")}
      className="flex min-h-11 shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-line bg-accent-soft px-4 py-1.5"
    >
      <BellRing size={16} aria-hidden className="shrink-0 text-accent-text max-tablet:hidden" />
      <p className="min-w-0">{t("question")}</p>
      <span className="flex gap-2">
        <Button size="sm" variant="primary" pending={enable.isPending} onClick={turnOn}>
          {t("turnOn")}
        </Button>
        <Button size="sm" variant="ghost" onClick={onAnswer}>
          {t("notNow")}
        </Button>
      </span>
    </section>
  );
}
