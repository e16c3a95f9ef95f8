/** What a picture is made of, and the words that describe one. */
import type { Locator, Page } from "@playwright/test";
import type { Person } from "../fixtures/api.ts";

export type SceneFiles = Record<"sound" | "waiting" | "transcoding" | "film" | "failed" | "image" | "document", number>;

export interface SampleChat {
  projectId: number;
  /** Somebody else in it. */
  ben: Person;
  /** A reply from further up, and what it answers. */
  reply: number;
  /** 5,000 emoji in one message. */
  longMessage: number;
}

export interface FileCollection {
  projectId: number;
  /** 10,000 files. */
  large: number;
  empty: number;
}

export interface Scene {
  /** A workspace with the sample project. */
  ana: Person;
  projectId: number;
  /** A project whose chat carries every kind of file in every state. */
  filesProjectId: number;
  /** Files by the state that their page shows. */
  files: SceneFiles;
  /** Endpoints by how they stand, and a delivery that waits for its next try. */
  webhooks: { failing: number; paused: number; gone: number; delivery: number };
  /** A project whose chat shows everything that a message can be. */
  sampleChat: SampleChat;
  /** A project whose chat carries voice notes. */
  voicesProjectId: number;
  /** A project full of files, and folders of it. */
  collection: FileCollection;
  /** A project in which not everybody is. */
  smallProjectId: number;
  inviteLink: string;
  /** A workspace in which nothing has happened yet. */
  newcomer: Person;
  emptyProjectId: number;
  /** A service that waits for its owner. */
  setupLink: string;
}

/** `S`: what it needs of the scene. */
export interface Shot<S = Scene> {
  view: string;
  state: string;
  /** null: nobody is signed in. */
  as: (scene: S) => Person | null;
  path: (scene: S) => string;
  /** Not on a phone. */
  desktopOnly?: true;
  /** Before the page opens. */
  before?: (page: Page) => Promise<unknown>;
  /** After it stands. */
  act?: (page: Page, scene: S) => Promise<unknown>;
  /** Seen when the picture may be taken. */
  ready: (page: Page) => Locator;
}

export const ana = ({ ana: person }: Pick<Scene, "ana">) => person;
export const newcomer = ({ newcomer: person }: Scene) => person;
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
  (key: "failing" | "paused" | "gone") =>
  ({ webhooks }: Scene) =>
    `/settings/webhooks/${webhooks[key]}`;
export const deliveryPath = ({ webhooks }: Scene) => `/settings/webhooks/${webhooks.failing}/deliveries/${webhooks.delivery}`;

export const collectionPath = ({ collection: { projectId } }: Scene) => `/projects/${projectId}/files`;
export const FILE_LIST = "**/api/v2/projects/*/files?*";
export const HISTORY = "**/v1/account/projects/chat_history";
export const FILE_INFO = "**/v1/files/get_info";
export const PROJECT_MEMBERS = "**/api/v2/projects/*/members";
export const neverAnswer = (url: string) => (page: Page) => page.route(url, () => {});
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
export const skeleton = (page: Page) => main(page).locator(".animate-pulse").first();
export const fullShot = (view: string, path: Shot["path"], ready: Shot["ready"], overrides: Partial<Shot> = {}): Shot => ({
  view,
  state: "full",
  as: ana,
  path,
  ready,
  ...overrides,
});
