import { t } from "../../lib/texts/connect.ts";
import type { Finding } from "../../queries/connection.ts";
import { Notice } from "../../ui/Notice.tsx";

interface Props {
  finding: Finding;
  /** The address that was tried. */
  address: string;
  hasToken: boolean;
}

/** Describes what was found at an address. */
export function FindingNotice({ finding, address, hasToken }: Props) {
  switch (finding.kind) {
    case "talkback":
      return (
        <Notice tone="ok" title={t("foundTalkback", { name: finding.name, version: finding.version })}>
          {finding.username === null ? t("foundSession") : t("foundAccount", { name: finding.username })}
        </Notice>
      );
    case "documented":
      return (
        <Notice tone="info" title={t("foundDocumented")}>
          {t("foundDocumentedHelp")} {hasToken && t("tokenUnchecked")}
        </Notice>
      );
    case "possible":
      return (
        <Notice tone="info" title={t("possible")}>
          {t("possibleHelp")}
        </Notice>
      );
    case "unreadable":
    case "unreachable":
      return (
        <Notice tone={finding.kind === "unreadable" ? "info" : "danger"} title={t(finding.kind)}>
          <p>{t(finding.kind === "unreadable" ? "unreadableHelp" : "unreachableHelp")}</p>
          <code className="mt-1.5 block rounded-sm bg-bg px-2 py-1 font-mono text-sm wrap-anywhere">npm start -- --upstream {address}</code>
        </Notice>
      );
    case "unknown":
      return <Notice title={t("unknown")}>{t("unknownHelp")}</Notice>;
    case "failing":
      return <Notice title={t("failing", { status: finding.status })}>{t("failingHelp")}</Notice>;
    case "token-missing":
      return (
        <Notice tone="info" title={t("tokenMissing")}>
          {t("tokenMissingHelp")}
        </Notice>
      );
    case "token-refused":
      return <Notice title={t("tokenRefused")}>{t("tokenRefusedHelp")}</Notice>;
    case "no-access":
      return <Notice title={t("noAccess")}>{t("noAccessHelp")}</Notice>;
  }
}
