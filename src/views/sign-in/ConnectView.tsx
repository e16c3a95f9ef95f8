import { type FormEvent, useState } from "react";
import { useSearchParams } from "react-router";
import { useClient } from "../../client/client.ts";
import { sanitizeNextPath } from "../../lib/sign-in.ts";
import { t } from "../../lib/texts/connect.ts";
import { connect, disconnect, findAddressIssue, type Finding, getChosen, isUnencrypted, toConnection, useTryConnection } from "../../queries/connection.ts";
import { Button, buttonClasses } from "../../ui/Button.tsx";
import { CheckField, PasswordField, TextField } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { AuthLayout } from "./AuthLayout.tsx";
import { FindingNotice } from "./FindingNotice.tsx";

/** Findings with which the page can be used. */
const USABLE: ReadonlySet<Finding["kind"]> = new Set(["talkback", "documented", "unreadable"]);
/** Returns true while an address is still being typed, when no issue should be shown yet. */
const isIncomplete = (text: string) => /^(h(t(t(p(s(:(\/\/?)?)?)?)?)?)?)?$/i.test(text) || /^https?:\/\/[^/?#@]*$/i.test(text);

/** Points this page at another service. The page is loaded anew with it, so nothing of one service stays in memory for another. */
export function ConnectView() {
  const client = useClient();
  const [search] = useSearchParams();
  const [chosen] = useState(getChosen);
  const [address, setAddress] = useState(chosen?.baseUrl || client.api.baseUrl);
  const [token, setToken] = useState("");
  const [isOnDevice, setIsOnDevice] = useState(chosen?.isOnDevice ?? false);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const attempt = useTryConnection();
  const issue = findAddressIssue(address);
  const isIssueShown = issue !== null && (isSubmitted || (address !== "" && !isIncomplete(address.trim())));
  const finding = attempt.data;
  const canConnect = finding !== undefined && USABLE.has(finding.kind);

  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    attempt.reset();
  };
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (attempt.isPending) return;
    setIsSubmitted(true);
    if (issue) return event.currentTarget.querySelector("input")?.focus();
    const connection = toConnection(client, address, token);
    if (!canConnect) return attempt.mutate(connection);
    const isSame = connection.baseUrl === chosen?.baseUrl;
    connect(connection, isOnDevice, isSame ? sanitizeNextPath(search.get("next")) : "/");
  }

  return (
    <AuthLayout title={t("title")} lead={t("lead")}>
      {chosen && (
        <Notice tone="info" title={t("connectedTo", { host: chosen.baseUrl ? new URL(chosen.baseUrl).host : location.host })} className="mb-5">
          <p>{t(chosen.isOnDevice ? "connectedOnDevice" : "connectedHelp")}</p>
          <Button size="sm" className="mt-2" onClick={disconnect}>
            {t("disconnect")}
          </Button>
        </Notice>
      )}
      {search.get("reason") === "refused" && !finding && (
        <Notice title={t("refusedNotice")} className="mb-5">
          {t("refusedNoticeHelp")}
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
        <PasswordField label={t("token")} value={token} onChange={change(setToken)} hint={t("tokenHint")} autoComplete="off" autoFocus={address !== ""} />
        {isUnencrypted(address) && (location.protocol === "https:" || token !== "") && (
          <Notice title={t(location.protocol === "https:" ? "mixedContent" : "unencrypted")} />
        )}
        <CheckField label={t("onDevice")} hint={t("onDeviceHint")} checked={isOnDevice} onChange={setIsOnDevice} />
        {finding && <FindingNotice finding={finding} address={address.trim()} hasToken={token.trim() !== ""} />}
        <Button type="submit" variant="primary" size="lg" pending={attempt.isPending}>
          {t(!canConnect ? "check" : finding.kind === "unreadable" ? "connectAnyway" : "connect")}
        </Button>
      </form>
      <a href="/" className={`${buttonClasses("ghost", "lg")} mt-2 w-full`}>
        {t("back")}
      </a>
    </AuthLayout>
  );
}
