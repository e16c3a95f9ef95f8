import { File, FolderOpen } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link } from "react-router";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { DownloadAnchor } from "../../components/DownloadAnchor.tsx";
import { useMediaUrl } from "../../components/MediaImage.tsx";
import { classNames } from "../../lib/class-names.ts";
import { formatTenths } from "../../lib/format.ts";
import { t as tFacts } from "../../lib/texts/review-facts.ts";
import { t } from "../../lib/texts/review.ts";
import { isProcessing } from "../../queries/files/file-updates.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useOptionalSession } from "../../queries/session.ts";
import { buttonClasses } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { FactsPanel, type PanelProps } from "./facts/Facts.tsx";
import { downloadUrl } from "./file-info.ts";

const DocumentPage = lazy(async () => ({ default: (await import("./document/DocumentPage.tsx")).DocumentPage }));

type NonAudioInfo = Exclude<FileInfoResponse["file_info"], { object: "audio_file_info" }>;

/** Previews an image, or offers other files for download: also audio and video that is not decoded yet, or cannot be. */
export function NonAudioPage({ info: { common, file_info } }: { info: FileInfoResponse }) {
  const info = file_info as NonAudioInfo;
  return (
    info.object !== "folder_info" && (
      <div
        className={classNames(
          "px-4 py-5 tablet:px-5",
          info.object !== "document_file_info" && "beside:flex beside:flex-1 beside:flex-col beside:items-center beside:justify-center",
        )}
      >
        <Preview common={common} info={info} />
      </div>
    )
  );
}

/** Renders the file's metadata and status history, or a link to the folder's contents, or its metadata if the service does not list them. */
export function NonAudioFacts({ info: { common, file_info }, ...panelProps }: { info: FileInfoResponse } & PanelProps) {
  const info = file_info as NonAudioInfo;
  const { width, height, duration } = info;
  const hasFiles = useHasFeature("files-view");
  const session = useOptionalSession();
  if (info.object === "folder_info" && hasFiles && session) {
    return (
      <EmptyState
        icon={<FolderOpen size={22} aria-hidden />}
        title={t("folder")}
        actions={
          <Link to={`/projects/${common.project_id}/files/${common.id}`} className={buttonClasses()}>
            {t("openFolder")}
          </Link>
        }
      />
    );
  }
  const facts = [
    ...(duration ? [{ label: tFacts("length"), value: formatTenths(duration) }] : []),
    ...(width && height ? [{ label: tFacts("dimensions"), value: `${width} × ${height}` }] : []),
  ];
  return (
    <>
      {info.object === "folder_info" && (
        <EmptyState icon={<FolderOpen size={22} aria-hidden />} title={t("folder")}>
          {t("folderNotListed")}
        </EmptyState>
      )}
      <FactsPanel common={common} facts={facts} {...panelProps} />
    </>
  );
}

function Preview({ common, info }: { common: FileInfoResponse["common"]; info: NonAudioInfo }) {
  const isImage = info.object === "image_file_info" && !isProcessing(common.transcoding_status) && common.url !== "";
  const { src, isBroken, onError } = useMediaUrl(isImage ? common.url : null);
  const url = downloadUrl(common);
  const hasText = useHasFeature("knowledge-base");
  // Until its type is known, the service sends an image as a download.
  if (isBroken || !isImage) {
    const download = url !== null && (
      <DownloadAnchor url={url} fileName={common.name} className={buttonClasses("primary")}>
        {t("download")}
      </DownloadAnchor>
    );
    const noPreview = (
      <EmptyState icon={<File size={22} aria-hidden />} title={common.name} actions={download}>
        {t(isBroken ? "brokenPreview" : isProcessing(common.transcoding_status) ? "previewLater" : "noPreview")}
      </EmptyState>
    );
    if (info.object !== "document_file_info" || !hasText || isProcessing(common.transcoding_status)) return noPreview;
    return (
      <Suspense fallback={noPreview}>
        <DocumentPage common={common} download={download} fallback={noPreview} />
      </Suspense>
    );
  }
  const image = (
    <img
      src={src}
      alt={t("image", { file: common.name })}
      width={info.width}
      height={info.height}
      onError={onError}
      className="max-h-[70vh] w-auto max-w-full rounded-lg beside:max-h-[calc(100cqh-6rem)] bg-wave-bg object-contain"
    />
  );
  const frameClasses = "mx-auto block w-fit max-w-full";
  // Bytes in memory have no address for another tab.
  if (src === undefined || src.startsWith("blob:")) return <div className={frameClasses}>{image}</div>;
  return (
    <a href={src} target="_blank" rel="noreferrer" title={t("openFull")} className={frameClasses}>
      {image}
    </a>
  );
}
