import { useRef, useState } from "react";
import { t } from "../../lib/messages/upload-panel.ts";
import type { Upload } from "../../queries/uploads/upload.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { readFileList } from "../uploads/tree.ts";
import { matchLostFiles } from "./summary.ts";

interface Props {
  lostUploads: readonly Upload[];
  giveFile(id: string, file: File): boolean;
}

/** Asks once for all files that the browser did not store, either as files or as their folder. */
export function LostFiles({ lostUploads, giveFile }: Props) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [missingCount, setMissingCount] = useState<"none" | number | null>(null);
  const inFolders = lostUploads.some(({ target }) => target?.kind === "folder" && target.path !== "");

  function matchFiles(input: HTMLInputElement) {
    const matches = matchLostFiles(lostUploads, readFileList([...(input.files ?? [])]).files);
    input.value = "";
    for (const { id, file } of matches) giveFile(id, file);
    setMissingCount(matches.length === 0 ? "none" : lostUploads.length - matches.length);
  }
  return (
    <Notice title={t("lost", { count: lostUploads.length })}>
      {missingCount === "none" && <p role="alert">{t("noneMatches")}</p>}
      {typeof missingCount === "number" && missingCount > 0 && <p role="status">{t("someMissing", { count: missingCount })}</p>}
      <span className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => files.current?.click()}>
          {t("chooseFiles")}
        </Button>
        {inFolders && (
          <Button size="sm" onClick={() => folder.current?.click()}>
            {t("chooseFolder")}
          </Button>
        )}
      </span>
      <input ref={files} type="file" multiple hidden onChange={(event) => matchFiles(event.target)} />
      <input ref={folder} type="file" multiple hidden {...{ webkitdirectory: "" }} onChange={(event) => matchFiles(event.target)} />
    </Notice>
  );
}
