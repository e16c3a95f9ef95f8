import { BellRing } from "lucide-react";
import type { PushSubscriptionRecord } from "../../../../contract/notification-delivery-records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { ListRow, ListSection, ListState, RowIcon } from "../../../components/ListSection.tsx";
import { t } from "../../../lib/texts/notification-delivery.ts";
import { formatShortDay } from "../../../lib/time.ts";
import {
  type PushState,
  PushBrowserError,
  PushDeniedError,
  useDisablePush,
  useEnablePush,
  usePush,
  useTestPush,
} from "../../../queries/notification-delivery/use-push.ts";
import { useSession } from "../../../queries/session.ts";
import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { BrowserRow } from "../BrowserRow.tsx";

/** Turns push messages to this browser on and off, and lists the other browsers that get them. */
export function PushSection() {
  const { state, current, subscriptions } = usePush();
  const disable = useDisablePush();
  const others = subscriptions.data?.filter((subscription) => subscription !== current) ?? [];
  return (
    <ListSection title={t("pushTitle")} lead={t("pushLead")}>
      <ListState query={subscriptions} rows={1} />
      <ErrorNotice error={disable.error} className="my-3" />
      {subscriptions.data && (
        <ul>
          <ThisBrowserRow state={state} current={current} disable={disable} />
          {others.map((subscription) => (
            <OtherBrowserRow key={subscription.id} subscription={subscription} disable={disable} />
          ))}
        </ul>
      )}
    </ListSection>
  );
}

type Disable = ReturnType<typeof useDisablePush>;
const isDisabling = (disable: Disable, { id }: PushSubscriptionRecord): boolean => disable.isPending && disable.variables.id === id;

function describeState(state: PushState): string {
  switch (state) {
    case "on":
      return t("pushOn");
    case "blocked":
      return t("blocked");
    case "loading":
    case "off":
      return t("pushOff");
    case "home-screen":
    case "insecure":
    case "unsupported":
      return t("unsupported");
  }
}

/** Returns what the person can do where this browser cannot show push messages; null where it can. */
function findHelp(state: PushState): string | null {
  if (state === "blocked") return t("blockedHelp");
  if (state === "home-screen") return t("homeScreenHelp");
  if (state === "insecure") return t("insecureHelp");
  return state === "unsupported" ? t("unsupportedHelp") : null;
}

function ThisBrowserRow({ state, current, disable }: { state: PushState; current: PushSubscriptionRecord | undefined; disable: Disable }) {
  const { account } = useSession();
  const enable = useEnablePush(account.id);
  const test = useTestPush();
  const help = findHelp(state);
  return (
    <>
      <ListRow
        picture={
          <RowIcon>
            <BellRing size={16} aria-hidden />
          </RowIcon>
        }
        title={<span className="font-medium">{t("thisBrowser")}</span>}
        details={<span role="status">{describeState(state)}</span>}
      >
        {state === "on" && current && (
          <div className="flex flex-wrap justify-end gap-2">
            <Button size="sm" pending={test.isPending} onClick={() => test.mutate(current.id)}>
              {t("sendTest")}
            </Button>
            <Button size="sm" pending={isDisabling(disable, current)} onClick={() => disable.mutate(current)}>
              {t("turnOff")}
            </Button>
          </div>
        )}
        {state === "off" && (
          <Button size="sm" variant="primary" pending={enable.isPending} onClick={() => enable.mutate()}>
            {t("turnOn")}
          </Button>
        )}
      </ListRow>
      {help && <Row>{help}</Row>}
      {enable.error && state !== "blocked" && (
        <Row>
          <EnableError error={enable.error} />
        </Row>
      )}
      {state === "on" && (test.isSuccess || test.isError) && (
        <Row>
          <ErrorNotice error={test.error} />
          {test.isSuccess && <Notice tone="ok">{t("testSent")}</Notice>}
        </Row>
      )}
    </>
  );
}

const Row = ({ children }: { children: React.ReactNode }) => <li className="-mx-4 border-b border-line px-4 py-3 text-text-2 last:border-0">{children}</li>;

function EnableError({ error }: { error: unknown }) {
  if (error instanceof PushDeniedError) return <Notice title={t("notAllowed")}>{t("notAllowedHelp")}</Notice>;
  if (error instanceof PushBrowserError) return <Notice title={t("browserRefused")}>{t("browserRefusedHelp")}</Notice>;
  return <ErrorNotice error={error} />;
}

function OtherBrowserRow({ subscription, disable }: { subscription: PushSubscriptionRecord; disable: Disable }) {
  const now = useServiceTime();
  return (
    <BrowserRow userAgent={subscription.user_agent} details={t("pushSince", { day: formatShortDay(subscription.created_at, now) })}>
      {(name) => (
        <Button size="sm" aria-label={t("turnOffIn", { name })} pending={isDisabling(disable, subscription)} onClick={() => disable.mutate(subscription)}>
          {t("turnOff")}
        </Button>
      )}
    </BrowserRow>
  );
}
