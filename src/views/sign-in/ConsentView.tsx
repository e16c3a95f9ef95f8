/** The page on which a person allows an app to use their account, or does not (RFC 6749, 4.1.1). */
import { AppWindow, Check, Minus } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { confirmConsent } from "../../../contract/operations/oauth.ts";
import type { OAuthConsent } from "../../../contract/oauth-records.ts";
import { useClient, useServiceTime } from "../../client/client.ts";
import { describeScope } from "../../components/scope-labels.ts";
import { t } from "../../lib/texts/consent.ts";
import { formatShortDay } from "../../lib/time.ts";
import { CONSENT_PARAMETERS, useConsent } from "../../queries/connected-apps.ts";
import { describeLoadError, readConsentError } from "../../queries/describe-error.ts";
import { useSession } from "../../queries/session.ts";
import { useSignOut } from "../../sync/live/use-sign-out.ts";
import { Button, buttonClasses } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { AuthLayout, LoadFailure } from "./AuthLayout.tsx";

/** How long the page must have been in view before Allow works: longer than the pause between the clicks of a double click on another page. */
const ARMING_MS = 700;

export function ConsentView() {
  const [search] = useSearchParams();
  const repeated = CONSENT_PARAMETERS.find((name) => search.getAll(name).length > 1);
  // Nothing else of the address reaches the form, so that a link cannot add an answer or a token to it.
  const parameters = Object.fromEntries([...search].filter(([name]) => CONSENT_PARAMETERS.includes(name)));
  const consent = useConsent(parameters, repeated === undefined);
  if (repeated !== undefined) return <InvalidRequest title={t("invalid")} reason={t("repeated", { name: repeated })} />;
  if (consent.data) return <ConsentForm consent={consent.data} parameters={parameters} refusal={describeRefusal(search.get("refused"))} />;
  if (consent.error) return <ConsentError error={consent.error} retry={() => void consent.refetch()} />;
  return (
    <AuthLayout title={t("title")} lead={t("lead")}>
      <div className="flex flex-col gap-4">
        <Skeleton className="h-16" />
        <Skeleton className="h-12" />
        <Skeleton className="h-40" />
        <Skeleton className="h-10" />
      </div>
    </AuthLayout>
  );
}

interface ConsentFormProps {
  consent: OAuthConsent;
  parameters: Record<string, string>;
  /** Why the service did not take the decision that was made on this page before. */
  refusal: string | null;
}

function ConsentForm({ consent: { client, scopes, expires_at }, parameters, refusal }: ConsentFormProps) {
  const { api } = useClient();
  const now = useServiceTime();
  const { account, role } = useSession();
  const isArmed = useArmed();
  const [isSent, setIsSent] = useState(false);
  useEffect(() => {
    // The back button may show the page as it was left.
    const reset = () => setIsSent(false);
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, []);

  /** Lets the browser send the form once, and an approval only if the page was in view before. */
  function submit(event: FormEvent<HTMLFormElement>) {
    const button = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    if (!button || isSent || (button.value === "allow" && !isArmed)) return event.preventDefault();
    setIsSent(true);
  }

  return (
    <AuthLayout title={t("title")} lead={t("lead")}>
      <div className="flex flex-col gap-5">
        {refusal !== null && <Notice>{refusal}</Notice>}
        <Part icon={<AppWindow size={18} aria-hidden />}>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <bdi className="min-w-0 font-semibold [overflow-wrap:anywhere]">{client.name}</bdi>
            <span className="rounded-full border border-line-strong px-2 text-xs font-medium text-text-2">{t("unverified")}</span>
          </p>
          <p className="text-sm [overflow-wrap:anywhere] text-text-2">
            {t(client.is_local ? "sendsToLocal" : "sendsTo", { host: isolated(client.redirect_host) })}
          </p>
          <p className="mt-1 text-sm text-text-3">{t("unverifiedHelp")}</p>
        </Part>
        <AccountPart />
        <section>
          <h2 className="mb-2 text-sm font-semibold">{t("willBeAble")}</h2>
          <ul className="flex flex-col gap-2.5">
            {scopes.map((scope) => (
              <ScopeItem key={scope} {...describeScope(scope, scopes, role)} />
            ))}
          </ul>
          <p className="mt-3 text-sm text-text-3">{t("never")}</p>
        </section>
        {scopes.includes("admin") && (role === "owner" || role === "admin") && (
          <Notice tone="info" title={t("adminTitle")}>
            {t("adminHelp")}
          </Notice>
        )}
        {/* A form, because the answer redirects the browser to the app. */}
        <form method="post" action={api.address(confirmConsent.path)} onSubmit={submit}>
          {Object.entries(parameters).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="account_id" value={account.id} />
          <p className="mb-4 text-sm text-text-3">{t("expires", { when: formatShortDay(expires_at, now) })}</p>
          <div className="grid grid-cols-2 gap-2">
            <Button type="submit" size="lg" name="decision" value="deny" pending={isSent}>
              {t("cancel")}
            </Button>
            <Button type="submit" size="lg" variant="primary" name="decision" value="allow" pending={isSent || !isArmed}>
              {t("allow")}
            </Button>
          </div>
        </form>
      </div>
    </AuthLayout>
  );
}

/**
 * Returns whether the page has been in view and in focus for a moment, so that a key or a click that was meant for another page or window approves
 * nothing.
 */
function useArmed(): boolean {
  const [isArmed, setIsArmed] = useState(false);
  useEffect(() => {
    let timer = setTimeout(() => setIsArmed(true), ARMING_MS);
    function restart() {
      clearTimeout(timer);
      setIsArmed(false);
      if (document.visibilityState === "visible") timer = setTimeout(() => setIsArmed(true), ARMING_MS);
    }
    window.addEventListener("focus", restart);
    document.addEventListener("visibilitychange", restart);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("focus", restart);
      document.removeEventListener("visibilitychange", restart);
    };
  }, []);
  return isArmed;
}

function AccountPart() {
  const { account, organisation } = useSession();
  const signOut = useSignOut();
  return (
    <section aria-label={t("account")} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-md border border-line bg-bg px-3 py-2.5">
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">
          <span className="font-medium">{account.username}</span> <span className="text-text-2">{account.email}</span>
        </p>
        <p className="text-sm [overflow-wrap:anywhere] text-text-2">{organisation.name}</p>
      </div>
      <p className="text-sm text-text-2">
        {t("notYou")}{" "}
        <Button variant="text" size="sm" pending={signOut.isPending} onClick={() => signOut.mutate()}>
          {t("signOut")}
        </Button>
      </p>
    </section>
  );
}

const Part = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <div className="flex gap-3">
    <span className="flex size-9 shrink-0 items-center justify-center rounded-md border border-line bg-raised text-text-2">{icon}</span>
    <div className="min-w-0">{children}</div>
  </div>
);

const ScopeItem = ({ label, limit, roleLimit, hasEffect }: ReturnType<typeof describeScope>) => (
  <li className="flex gap-2.5">
    {hasEffect ? (
      <Check size={16} aria-hidden className="mt-0.5 shrink-0 text-accent-text" />
    ) : (
      <Minus size={16} aria-hidden className="mt-0.5 shrink-0 text-text-3" />
    )}
    <div className="min-w-0">
      <p className="[overflow-wrap:anywhere]">{label}</p>
      {(limit || roleLimit) && <p className="text-sm text-text-3">{[limit, roleLimit].filter(Boolean).join(" ")}</p>}
    </div>
  </li>
);

/** Returns what to say about the status with which the service refused a decision. */
function describeRefusal(status: string | null): string | null {
  if (status === null) return null;
  if (status === "401") return t("refusedAccount");
  if (status === "403") return t("refusedPage");
  return t(status === "429" ? "refusedRate" : "refusedOther");
}

/** Shows what is wrong with the request, or that it could not be checked. Leads back to the app only if the service has checked its address. */
function ConsentError({ error, retry }: { error: unknown; retry(): void }) {
  const { title, help } = describeLoadError(error);
  const { isFull, returnUrl } = readConsentError(error);
  if (isFull) {
    return (
      <InvalidRequest title={t("full")} reason={title} returnUrl={returnUrl}>
        <Link to="/settings/apps" className={`${buttonClasses("primary", "lg")} mt-5 w-full`}>
          {t("toApps")}
        </Link>
      </InvalidRequest>
    );
  }
  if (!help) return <InvalidRequest title={t("invalid")} reason={title} returnUrl={returnUrl} />;
  return <LoadFailure title={title} help={help} retry={retry} />;
}

const InvalidRequest = ({ title, reason, returnUrl, children }: { title: string; reason: string; returnUrl?: string | undefined; children?: ReactNode }) => (
  <AuthLayout title={title}>
    <Notice>{reason}</Notice>
    {children ?? <p className="mt-4 text-text-2">{t("invalidHelp")}</p>}
    {returnUrl !== undefined && (
      <a
        href={returnUrl}
        className={`${children ? "mt-2" : "mt-5"} flex min-h-10 items-center justify-center rounded-md border border-line-strong bg-raised px-4 py-2 text-center font-medium [overflow-wrap:anywhere] hover:bg-hover`}
      >
        {t("back", { host: isolated(new URL(returnUrl).host) })}
      </a>
    )}
    {/* Loads the page anew, because this one belongs to its own service, and others to the one that this browser has chosen. */}
    <Link to="/" reloadDocument className={`${buttonClasses("text", "lg")} mt-2 w-full`}>
      {t("toTalkback")}
    </Link>
  </AuthLayout>
);

/** A host may be written from right to left. */
const isolated = (host: string): string => `\u2068${host}\u2069`;
