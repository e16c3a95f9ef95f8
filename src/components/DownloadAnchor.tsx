import { type ComponentProps, type MouseEvent, useState } from "react";
import { useClient } from "../client/client.ts";
import { saveFrom } from "../lib/browser.ts";
import { t } from "../lib/texts/media.ts";
import { formatErrorReason } from "../queries/describe-error.ts";
import { useToasts } from "../ui/toast.ts";

interface DownloadAnchorProps extends Omit<ComponentProps<"a">, "href" | "download" | "onClick"> {
  /** URL of a record. */
  url: string;
  /** Name under which the browser saves the file. */
  fileName: string;
}

/** Renders a link that saves the bytes of a record's URL, with the token where a plain link cannot get them. */
export function DownloadAnchor({ url, fileName, children, ...rest }: DownloadAnchorProps) {
  const { media } = useClient();
  const toasts = useToasts();
  const [isBusy, setIsBusy] = useState(false);
  async function download() {
    setIsBusy(true);
    try {
      const { address, release } = await media.loadDownload(url);
      saveFrom(address, fileName, release);
    } catch (error) {
      toasts.showError(t("downloadFailed", { name: fileName, reason: formatErrorReason(error) }));
    }
    setIsBusy(false);
  }
  function onClick(event: MouseEvent) {
    if (!media.needsDownload(url)) return;
    event.preventDefault();
    if (!isBusy) void download();
  }
  // A browser shows what a link to another origin names, so it gets a tab of its own.
  const target = new URL(url, location.href).origin === location.origin ? {} : { target: "_blank", rel: "noreferrer" };
  return (
    <a {...target} {...rest} href={url} download={fileName} aria-busy={isBusy || undefined} onClick={onClick}>
      {children}
    </a>
  );
}
