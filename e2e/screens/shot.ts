/** Defines screenshots and the scene they show. */
import type { Locator, Page } from "@playwright/test";
import type { Person } from "../fixtures/api.ts";

export type SceneFiles = Record<"sound" | "single" | "waiting" | "transcoding" | "video" | "failed" | "image" | "document", number>;

export interface SampleChat {
  projectId: number;
  /** Another member of the project. */
  ben: Person;
  /** Id of a reply further up in the chat. */
  reply: number;
  /** Id of a message with 5,000 emoji. */
  longMessage: number;
}

export interface SampleFilesView {
  projectId: number;
  /** A folder with 10,000 files. */
  large: number;
  empty: number;
}

export interface SampleAccess {
  projectId: number;
  /** Added files of the project of which one is approved and one protected. */
  guest: Person;
  admin: Person;
  /** Has a long name and a pending reset link from the command line. */
  long: Person;
  /** A file whose status a new version has reset. */
  resetFile: number;
  /** A webhook endpoint whose creator is disabled. */
  formerEndpoint: number;
  /** For an account with API tokens, by an owner. */
  adminResetLink: string;
}

/** Paths of the consent page. */
export interface SampleApps {
  /** For an app that asks for reading only. */
  several: string;
  /** For an app that asks for reading and writing. */
  writing: string;
  /** For an app on the person's own computer. */
  local: string;
  /** For an app with a long name that asks for all scopes. */
  everything: string;
  withoutChallenge: string;
  /** With an address that the app has not registered. */
  foreignRedirect: string;
  unknownApp: string;
  /** An access token of a connected app, which may read the account. */
  accessToken: string;
}

export interface Scene {
  /** The owner of a workspace with the sample project. */
  ana: Person;
  projectId: number;
  /** A project whose chat has every kind of file in every state. */
  filesProjectId: number;
  /** Files by the state their page shows. */
  files: SceneFiles;
  /** Endpoints by state, and a delivery waiting for its next attempt. */
  webhooks: { failing: number; paused: number; gone: number; tokenEnded: number; delivery: number };
  /** The owner of a workspace with fifty projects, of which one is open, some are unread and some mention the owner. */
  manyProjects: { owner: Person; openProjectId: number };
  /** A project whose chat shows every kind of message. */
  sampleChat: SampleChat;
  /** A project whose chat has stems, and times in replies. */
  stemsProjectId: number;
  /** A project whose chat has voice notes. */
  voicesProjectId: number;
  /** A project full of files, and some of its folders. */
  sampleFilesView: SampleFilesView;
  /** A playlist of the sample project. */
  playlistId: number;
  access: SampleAccess;
  apps: SampleApps;
  /** A project that not everybody is a member of. */
  smallProjectId: number;
  inviteLink: string;
  /** For an account with API tokens, by itself. */
  resetLink: string;
  /** The owner of a workspace without any activity. */
  emptyOwner: Person;
  emptyProjectId: number;
  /** The setup link of a service without an owner. */
  setupLink: string;
}

/** `S`: the part of the scene that the shot needs. */
export interface Shot<S = Scene> {
  view: string;
  state: string;
  /** Null for a signed-out visitor. */
  as: (scene: S) => Person | null;
  path: (scene: S) => string;
  /** True to skip phone widths. */
  desktopOnly?: true;
  /** Taken at 2,560 pixels too, or only there. */
  wide?: "too" | "only";
  /** Runs before the page opens. */
  before?: (page: Page, scene: S) => Promise<unknown>;
  /** Runs after the page has loaded. */
  act?: (page: Page, scene: S) => Promise<unknown>;
  /** Visible once the screenshot can be taken. */
  ready: (page: Page) => Locator;
}

export const ana = ({ ana: person }: Pick<Scene, "ana">) => person;
export const emptyOwner = ({ emptyOwner: person }: Scene) => person;
export const signedOut = () => null;
export const chatPath = ({ projectId }: Pick<Scene, "projectId">) => `/projects/${projectId}/chat`;
export const membersPath = ({ projectId }: Scene) => `/projects/${projectId}/members`;
export const filesChatPath = ({ filesProjectId }: Scene) => `/projects/${filesProjectId}/chat`;
export const filePath =
  (key: keyof SceneFiles) =>
  ({ files }: Scene) =>
    `/files/${files[key]}`;
export const fixedPath = (path: string) => () => path;
export const webhookPath =
  (key: "failing" | "paused" | "gone" | "tokenEnded") =>
  ({ webhooks }: Scene) =>
    `/settings/webhooks/${webhooks[key]}`;
export const deliveryPath = ({ webhooks }: Scene) => `/settings/webhooks/${webhooks.failing}/deliveries/${webhooks.delivery}`;

export const sampleRecentPath = ({ sampleFilesView: { projectId } }: Scene) => `/projects/${projectId}/files`;
export const sampleFilesViewPath = (scene: Scene) => `${sampleRecentPath(scene)}/folders`;
export const FILE_LIST = "**/api/v2/projects/*/files?*";
export const HISTORY = "**/v1/account/projects/chat_history";
export const FILE_INFO = "**/v1/files/get_info";
export const PROJECT_MEMBERS = "**/api/v2/projects/*/members*";
export const neverRespond = (url: string) => (page: Page) => page.route(url, () => {});
/** Rejects uploads by name, lets one complete, and never responds to the others, which are then in progress or queued. */
export const mockUploads =
  ({ rejected, completedName }: { rejected: Record<string, { status: number; detail: string }>; completedName?: string }) =>
  (page: Page) =>
    page.route("**/api/v2/uploads**", (route) => {
      const request = route.request();
      const [, encoded = ""] = /name (\S+?)(,|$)/.exec(request.headers()["upload-metadata"] ?? "") ?? [];
      const name = Buffer.from(encoded, "base64").toString();
      const problem = rejected[name];
      if (problem) return route.fulfill({ status: problem.status, headers: { "retry-after": "12" }, json: { object: "error", title: "Refused", ...problem } });
      if (request.method() === "POST" && name !== completedName) return undefined;
      return route.continue();
    });
export const QUOTA_USED_UP = {
  status: 413,
  detail:
    "Your organization doesn't have enough storage left for this file. Deleted files free up space after 30 days; your administrator can raise the limit.",
};
export const DISK_FULL = {
  status: 507,
  detail: "The server's disk is full. Nothing was saved. Files cannot be stored until there is free space; everything else still works.",
};
export const TOO_MANY_REQUESTS = { status: 429, detail: "More than 600 requests in a minute. Try again in 12 s." };
/** Rejects requests because the budget of the account is used up. */
export const limitRequests =
  (url: string, retryAfter = 1) =>
  (page: Page) =>
    page.route(url, (route) =>
      route.fulfill({
        status: TOO_MANY_REQUESTS.status,
        contentType: "application/problem+json",
        headers: { "retry-after": String(retryAfter) },
        json: { object: "error", title: "Too many requests", ...TOO_MANY_REQUESTS },
      }),
    );
export const failRequests = (url: string) => (page: Page) =>
  page.route(url, (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      json: { object: "error", status: 500, title: "Internal error", request_id: "f3a9c1d2" },
    }),
  );

export const main = (page: Page) => page.getByRole("main");
export const retryButton = (page: Page) => main(page).getByRole("button", { name: "Try again" });
export const skeleton = (page: Page) => main(page).locator(".animate-pulse").filter({ visible: true }).first();
export const fullShot = (view: string, path: Shot["path"], ready: Shot["ready"], overrides: Partial<Shot> = {}): Shot => ({
  view,
  state: "full",
  as: ana,
  path,
  ready,
  ...overrides,
});
