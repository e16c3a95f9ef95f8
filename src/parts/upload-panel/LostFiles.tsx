import { useRef, useState } from "react";
import { t } from "../../lib/messages/upload-panel.ts";
import type { Upload } from "../../queries/uploads/upload.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { treeOfFiles } from "../uploads/tree.ts";
import { matchesOf } from "./summary.ts";

interface Props {
  lost: readonly Upload[];
  giveFile(id: string, file: File): boolean;
}

/** Asks once for all files that the browser has not kept, by themselves or as the folder they came in. */
export function LostFiles({ lost, giveFile }: Props) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState<"none" | number | null>(null);
  const inFolders = lost.some(({ target }) => target?.kind === "folder" && target.path !== "");

  function take(input: HTMLInputElement) {
    const found = matchesOf(lost, treeOfFiles([...(input.files ?? [])]).files);
    input.value = "";
    for (const { id, file } of found) giveFile(id, file);
    setMissing(found.length === 0 ? "none" : lost.length - found.length);
  }
  return (
    <Notice title={t("lost", { count: lost.length })}>
      {missing === "none" && <p role="alert">{t("noneMatches")}</p>}
      {typeof missing === "number" && missing > 0 && <p role="status">{t("someMissing", { count: missing })}</p>}
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
      <input ref={files} type="file" multiple hidden onChange={(event) => take(event.target)} />
      <input ref={folder} type="file" multiple hidden {...{ webkitdirectory: "" }} onChange={(event) => take(event.target)} />
    </Notice>
  );
}
