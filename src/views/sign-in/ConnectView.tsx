import { type FormEvent, useState } from "react";
import { useSearchParams } from "react-router";
import { useClient } from "../../client/client.ts";
import { sanitizeNextPath } from "../../lib/sign-in.ts";
import { t } from "../../lib/texts/connect.ts";
import { ErrorNotice } from "../../components/ErrorNotice.tsx";
import {
  completeAddress,
  connect,
  disconnect,
  findAddressIssue,
  type Finding,
  isUnencrypted,
  isValidToken,
  useChosen,
  useTryConnection,
} from "../../queries/connection.ts";
import { Button, buttonClasses } from "../../ui/Button.tsx";
import { CheckField, PasswordField, TextField } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { AuthLayout } from "./AuthLayout.tsx";
import { FindingNotice } from "./FindingNotice.tsx";

/** Findings with which the page can be used, and those with which it may be. */
const CERTAIN: ReadonlySet<Finding["kind"]> = new Set(["talkback", "documented"]);
const USABLE: ReadonlySet<Finding["kind"]> = new Set(["talkback", "documented", "possible", "unreadable", "unreachable", "unknown", "failing"]);
/** Findings after which another token is typed. */
const NEEDS_TOKEN: ReadonlySet<Finding["kind"]> = new Set(["token-missing", "token-refused", "no-access"]);
/** Returns true while an address is still being typed, when no issue should be shown yet. */
const isIncomplete = (text: string) => /^(h(t(t(p(s(:(\/\/?)?)?)?)?)?)?)?$/i.test(text) || /^https?:\/\/[^/?#@]*$/i.test(text);

/** Points this page at another service. The page is loaded anew with it, so nothing of one service stays in memory for another. */
export function ConnectView() {
  const { api, serviceStorage } = useClient();
  const [search] = useSearchParams();
  const chosen = useChosen();
  const [address, setAddress] = useState(chosen || !api.usesSession || api.upstream ? api.serviceUrl() : "");
  const [token, setToken] = useState("");
  const [isOnDevice, setIsOnDevice] = useState(chosen?.isOnDevice ?? false);
  const [isSubmitted, setIsSubmitted] = useState(false);
  /** Where the browser stores nothing; null if it does, or nothing was tried. */
  const [notStored, setNotStored] = useState<"device" | "tab" | null>(null);
  const attempt = useTryConnection();
  const issue = findAddressIssue(address);
  const isIssueShown = issue !== null && (isSubmitted || (address !== "" && !isIncomplete(address.trim())));
  const finding = attempt.data?.finding;
  const tokenError = isValidToken(token) ? undefined : t("tokenCharacters");
  const isMixed = isUnencrypted(address) && location.protocol === "https:";
  const isCertain = finding !== undefined && CERTAIN.has(finding.kind);

  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    attempt.reset();
  };
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (attempt.isPending) return;
    setIsSubmitted(true);
    if (issue) return event.currentTarget.querySelector("input")?.focus();
    if (tokenError || isMixed) return;
    setAddress(completeAddress(address));
    if (isCertain) return open();
    const tokenField = event.currentTarget.elements.namedItem("token") as HTMLInputElement | null;
    attempt.mutate({ address, token }, { onSuccess: ({ finding: { kind } }) => void (NEEDS_TOKEN.has(kind) && tokenField?.focus()) });
  }
  /** Opens the service as it was found. */
  function open() {
    if (!attempt.data) return;
    const { connection } = attempt.data;
    const isSame = connection.baseUrl === chosen?.baseUrl;
    if (connect(connection, isOnDevice, isSame ? sanitizeNextPath(search.get("next")) : "/")) {
      if (isSame && chosen.isOnDevice && !isOnDevice) serviceStorage.forget();
      return;
    }
    setNotStored(isOnDevice ? "device" : "tab");
    setIsOnDevice(false);
  }

  return (
    <AuthLayout title={t("title")} lead={t("lead")}>
      {search.get("reason") === "refused" && !finding && (
        <Notice title={t("refusedNotice")} className="mb-5">
          {t("refusedNoticeHelp")}
        </Notice>
      )}
      {chosen && (
        <Notice tone="info" title={t("connectedTo", { host: new URL(api.serviceUrl()).host })} className="mb-5">
          <p>{t(chosen.isOnDevice ? "connectedOnDevice" : "connectedHelp")}</p>
          <Button
            size="sm"
            className="mt-2"
            onClick={() => {
              serviceStorage.forget();
              disconnect();
            }}
          >
            {t("disconnect")}
          </Button>
        </Notice>
      )}
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t("address")}
          value={address}
          onChange={change(setAddress)}
          error={isIssueShown ? t(address.trim() === "" ? "required" : issue) : undefined}
          hint={t("addressHint")}
          type="url"
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={address === ""}
        />
        <PasswordField
          label={t("token")}
          name="token"
          value={token}
          onChange={change(setToken)}
          error={tokenError}
          hint={t(chosen?.token ? "tokenKept" : "tokenHint")}
          autoComplete="off"
          autoFocus={address !== ""}
        />
        {isUnencrypted(address) && (isMixed || token !== "") && (
          <Notice tone="info" title={t(isMixed ? "mixedContent" : "unencrypted")}>
            {t(isMixed ? "mixedContentHelp" : "unencryptedHelp")}
          </Notice>
        )}
        <CheckField label={t("onDevice")} hint={t("onDeviceHint")} checked={isOnDevice} onChange={setIsOnDevice} />
        <ErrorNotice error={attempt.error} />
        {finding && <FindingNotice finding={finding} address={completeAddress(address)} hasToken={attempt.data?.connection.token !== undefined} />}
        {notStored && (
          <Notice title={t(notStored === "device" ? "notOnDevice" : "notStored")}>{t(notStored === "device" ? "notOnDeviceHelp" : "notStoredHelp")}</Notice>
        )}
        <div className="grid gap-2">
          <Button type="submit" variant="primary" size="lg" pending={attempt.isPending} disabled={isMixed}>
            {t(isCertain ? "connect" : finding ? "checkAgain" : "check")}
          </Button>
          {finding && !isCertain && USABLE.has(finding.kind) && (
            <Button size="lg" onClick={open}>
              {t("connectAnyway")}
            </Button>
          )}
        </div>
      </form>
      <a href="/" className={`${buttonClasses("ghost", "lg")} mt-2 w-full`}>
        {t("back")}
      </a>
    </AuthLayout>
  );
}
