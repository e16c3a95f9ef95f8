/** Defines all routes of the client with the loaders that guard them; every view is lazy and loads its own chunk. */
import { lazy, Suspense } from "react";
import {
  createBrowserRouter,
  type LoaderFunctionArgs,
  Outlet,
  redirect,
  redirectDocument,
  type RouteObject,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { listProjects } from "../../contract/operations/projects.ts";
import { getSession } from "../../contract/operations/session.ts";
import type { Client } from "../client/client.ts";
import { getPersisted, setPersisted } from "../lib/local-storage.ts";
import { parseJson } from "../lib/parse-json.ts";
import type { NamedFeature } from "../lib/texts/not-offered.ts";
import { needsDocument, sanitizeNextPath, signInPath } from "../lib/sign-in.ts";
import { lastProjectKey, projectQueries } from "../queries/projects.ts";
import { isWithoutDescription, serviceQueries, useHasFeature } from "../queries/service.ts";
import { onAccountChange, sessionQueries, signedInKey } from "../queries/session.ts";
import { groupQueries } from "../queries/teams.ts";
import { ErrorPane } from "./ErrorPane.tsx";
import { Home } from "./Home.tsx";
import { NotFound } from "./NotFound.tsx";
import { ProjectLayout } from "./shell/ProjectLayout.tsx";
import { Shell, ShellSkeleton } from "./shell/Shell.tsx";

/** Name in local storage that is set while the service of this page's origin does not describe itself. */
const DOCUMENTED_KEY = "documented-only";
const CONNECT_PATTERN = /^\/connect\/?$/i;

/** Skips revalidation when the search string changes, because it affects neither session nor lists and a search must not wait for them. */
const shouldRevalidateSession = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean =>
  defaultShouldRevalidate && currentUrl.search === nextUrl.search;

const NotOffered = lazy(async () => ({ default: (await import("./NotOffered.tsx")).NotOffered }));

/** Routes of which each shows why it is empty, instead of its view, while the service lacks the feature. */
const requireFeature = (feature: NamedFeature, ...children: RouteObject[]): RouteObject => ({
  Component: function RequireFeature() {
    if (useHasFeature(feature)) return <Outlet />;
    return (
      <Suspense>
        <NotOffered feature={feature} />
      </Suspense>
    );
  },
  children,
});

/** Loads a view that plays or records, together with player and recorder. */
const withAudio = async <V,>({ audio }: Client, view: Promise<V>): Promise<V> => (await Promise.all([view, audio.load()]))[0];

const project = (client: Client): RouteObject => ({
  path: "projects/:projectId",
  Component: ProjectLayout,
  children: [
    { index: true, loader: ({ params }) => redirect(`/projects/${params["projectId"]}/chat`) },
    { path: "chat/:messageId?", lazy: async () => ({ Component: (await withAudio(client, import("../views/chat/ChatView.tsx"))).ChatView }) },
    requireFeature("files-view", {
      path: "files/:folderId?",
      lazy: async () => ({ Component: (await withAudio(client, import("../views/files/FilesView.tsx"))).FilesView }),
    }),
    requireFeature("members", { path: "members", lazy: async () => ({ Component: (await import("../views/members/MembersView.tsx")).MembersView }) }),
  ],
});

const file = (client: Client): RouteObject => ({
  path: "files/:fileId",
  lazy: async () => ({ Component: (await withAudio(client, import("../views/review/ReviewView.tsx"))).ReviewView }),
});

const tasks = requireFeature("tasks", {
  path: "tasks",
  lazy: async () => ({ Component: (await import("../views/tasks/TasksView.tsx")).TasksView }),
});

const settings: RouteObject = {
  path: "settings",
  lazy: async () => ({ Component: (await import("../views/settings/SettingsView.tsx")).SettingsView }),
  children: [
    { index: true, loader: () => redirect("/settings/profile") },
    {
      lazy: async () => ({ Component: (await import("../views/settings/SettingsView.tsx")).SettingsColumn }),
      children: [
        { path: "profile", lazy: async () => ({ Component: (await import("../views/settings/ProfilePage.tsx")).ProfilePage }) },
        requireFeature("members", { path: "members", lazy: async () => ({ Component: (await import("../views/settings/MembersPage.tsx")).MembersPage }) }),
        requireFeature("statuses", {
          path: "statuses",
          lazy: async () => ({ Component: (await import("../views/settings/statuses/StatusesPage.tsx")).StatusesPage }),
        }),
        requireFeature("api-tokens", { path: "tokens", lazy: async () => ({ Component: (await import("../views/settings/TokensPage.tsx")).TokensPage }) }),
        requireFeature("oauth", { path: "apps", lazy: async () => ({ Component: (await import("../views/settings/AppsPage.tsx")).AppsPage }) }),
        requireFeature("audit-log", { path: "audit", lazy: async () => ({ Component: (await import("../views/settings/AuditPage.tsx")).AuditPage }) }),
        requireFeature("sessions", { path: "sessions", lazy: async () => ({ Component: (await import("../views/settings/SessionsPage.tsx")).SessionsPage }) }),
      ],
    },
    requireFeature("webhooks", {
      path: "webhooks",
      lazy: async () => ({ Component: (await import("../views/webhooks/WebhooksView.tsx")).WebhooksView }),
      children: [
        { index: true, lazy: async () => ({ Component: (await import("../views/webhooks/WebhooksView.tsx")).CatalogPage }) },
        // One route for both paths, so that opening a delivery does not replace the page.
        {
          path: ":endpointId/deliveries?/:deliveryId?",
          lazy: async () => ({ Component: (await import("../views/webhooks/endpoints/EndpointPage.tsx")).EndpointPage }),
        },
      ],
    }),
  ],
};

/** The routes for a service that has only the operations of the service document. */
const documentedRoutes = (client: Client): RouteObject[] => [
  {
    lazy: async () => {
      const [{ DocumentedShell }] = await Promise.all([withAudio(client, import("./documented/DocumentedShell.tsx")), client.deviceRecords.load()]);
      return { Component: DocumentedShell };
    },
    children: [
      {
        ErrorBoundary: ErrorPane,
        children: [
          { index: true, lazy: async () => ({ Component: (await import("./documented/DocumentedHome.tsx")).DocumentedHome }) },
          {
            path: "projects/:projectId/chat/:messageId?",
            lazy: async () => ({ Component: (await import("../views/chat/ReadOnlyChatView.tsx")).ReadOnlyChatView }),
          },
          {
            path: "files/:fileId",
            lazy: async () => ({ Component: (await import("../views/review/ReadOnlyFileView.tsx")).ReadOnlyFileView }),
          },
          {
            path: "settings/webhooks",
            lazy: async () => ({ Component: (await import("../views/webhooks/CreateOnlyWebhooksView.tsx")).CreateOnlyWebhooksView }),
          },
          { path: "*", lazy: async () => ({ Component: (await import("./documented/DocumentedHome.tsx")).DocumentedNotFound }) },
        ],
      },
    ],
  },
];

export type Router = Awaited<ReturnType<typeof createRouter>>;

/**
 * Creates the routes of what the service offers, which is requested first unless somebody was signed in to the service before. Every path shows the error
 * if that request fails, or why the service is unknown (`failure`).
 */
export async function createRouter(client: Client, failure?: unknown) {
  const children = CONNECT_PATTERN.test(location.pathname) ? connectRoutes() : failure ? errorRoutes(failure) : await loadRoutes(client).catch(errorRoutes);
  const router = createBrowserRouter([{ path: "/", ErrorBoundary: ErrorPane, HydrateFallback: ShellSkeleton, children }]);
  client.sessionEnd.subscribe((reason) => {
    setPersisted(signedInKey(client), null);
    const { pathname, search } = router.state.location;
    if (!client.api.usesSession) location.assign("/connect");
    // Whoever signs out on the consent page wants to connect the app to another account.
    else if (reason === "signed-out") void router.navigate(needsDocument(pathname) ? signInPath(pathname + search) : "/sign-in", { replace: true });
    else void router.navigate(signInPath(pathname + search), { replace: true, state: { ended: true } });
  });
  // Reload, because the cache and unfinished input in a view belong to the previous account.
  onAccountChange(client, () => location.reload());
  return router;
}

/** The screen works without any service. Its page has a policy of its own, so links to it and from it load a page. */
const connectRoutes = (): RouteObject[] => [
  { path: "connect", lazy: async () => ({ Component: (await import("../views/sign-in/ConnectView.tsx")).ConnectView }) },
  {
    path: "*",
    loader: ({ request }) => {
      throw redirectDocument(request.url);
    },
  },
];

const errorRoutes = (error: unknown): RouteObject[] => [
  {
    path: "*",
    loader: () => {
      throw error;
    },
  },
];

async function loadRoutes(client: Client): Promise<RouteObject[]> {
  const { api, queryClient } = client;
  const featuresKey = api.storageName("features");
  const hasSessions = queryClient
    .fetchQuery(serviceQueries.current())
    .catch((error: unknown) => {
      if (api.service.get() !== null) throw error;
    })
    .then(() => {
      const features = api.service.get()?.features;
      setPersisted(featuresKey, features ? JSON.stringify(features) : null);
      return api.offers(getSession) && api.offers(listProjects);
    });
  const isSignedIn = getPersisted(signedInKey(client)) !== null;
  const isUsualPage = api.usesSession && api.upstream === "" && getPersisted(DOCUMENTED_KEY) === null;
  if (!isSignedIn && !isUsualPage) {
    const routes = (await hasSessions) ? sessionRoutes(client, null) : documentedRoutes(client);
    if (api.service.get()) setPersisted(DOCUMENTED_KEY, null);
    return routes;
  }
  // The views need not wait: nearly always the service is what it was. If it is unreachable, they show it.
  const lastFeatures = parseJson(getPersisted(featuresKey) ?? "");
  const knowsFeatures = isSignedIn && Array.isArray(lastFeatures);
  if (isSignedIn) api.expectDescription(knowsFeatures ? lastFeatures : undefined);
  void hasSessions.then(
    (stillHasSessions) => {
      if (stillHasSessions) return;
      // Only a web server in front of another service gets here: the next page waits for the description.
      setPersisted(DOCUMENTED_KEY, "1");
      location.reload();
    },
    (error: unknown) => {
      // The next page looks again before it shows views that need a session.
      if (isSignedIn && isWithoutDescription(error)) setPersisted(signedInKey(client), null);
    },
  );
  return sessionRoutes(client, knowsFeatures ? null : hasSessions);
}

/** The routes for a service with sessions. `description`: what settles once its features are known, without which no view is shown; null if they are. */
function sessionRoutes(client: Client, description: Promise<unknown> | null): RouteObject[] {
  const { api, queryClient } = client;
  const signedIn = signedInKey(client);
  const loadSession = () => queryClient.ensureQueryData(sessionQueries.current());
  const loadLists = () => Promise.all([queryClient.prefetchQuery(projectQueries.all()), queryClient.prefetchQuery(groupQueries.all())]);

  /** Loader for views that need a session: loads the session and the lists, or redirects to sign-in, which leads back to the view. */
  async function requireSession({ request }: LoaderFunctionArgs): Promise<null> {
    // Load everything in parallel if someone was signed in before; otherwise the list requests would only be refused.
    const loading = getPersisted(signedIn) ? loadLists() : null;
    await requireSignIn(request);
    await (loading ?? loadLists());
    return null;
  }

  async function requireSignIn(request: Request): Promise<null> {
    if (!(await loadSession())) {
      setPersisted(signedIn, null);
      const { pathname, search } = new URL(request.url);
      if (!api.usesSession) throw redirectDocument(`/connect?reason=refused&next=${encodeURIComponent(pathname + search)}`);
      throw redirect(signInPath(pathname + search));
    }
    setPersisted(signedIn, "1");
    await description?.catch(() => undefined);
    return null;
  }

  /** Loader of the sign-in view: redirects a signed-in person, and skips the session request if nobody was signed in before. */
  async function redirectSignedIn({ request }: LoaderFunctionArgs): Promise<null> {
    if (!getPersisted(signedIn) || !(await loadSession())) return null;
    const next = sanitizeNextPath(new URL(request.url).searchParams.get("next"));
    throw needsDocument(next) ? redirectDocument(next) : redirect(next);
  }

  /** Redirects "/" to the last opened project, else to the first by name; on a phone "/" shows the list itself. */
  async function openLastProject(args: LoaderFunctionArgs): Promise<null> {
    await requireSession(args);
    const projects = queryClient.getQueryData(projectQueries.all().queryKey) ?? [];
    const last = projects.find(({ id }) => String(id) === getPersisted(lastProjectKey(client))) ?? projects.toSorted((a, b) => a.name.localeCompare(b.name))[0];
    if (last && matchMedia("(min-width: 720px)").matches) throw redirect(`/projects/${last.id}/chat`);
    return null;
  }

  return [
    { path: "sign-in", loader: redirectSignedIn, lazy: async () => ({ Component: (await import("../views/sign-in/SignInView.tsx")).SignInView }) },
    { path: "setup", lazy: async () => ({ Component: (await import("../views/sign-in/LinkViews.tsx")).SetUpView }) },
    { path: "welcome", loader: requireSession, lazy: async () => ({ Component: (await import("../views/sign-in/WelcomeView.tsx")).WelcomeView }) },
    { path: "invite", lazy: async () => ({ Component: (await import("../views/sign-in/LinkViews.tsx")).InviteView }) },
    { path: "reset", lazy: async () => ({ Component: (await import("../views/sign-in/LinkViews.tsx")).ResetPasswordView }) },
    {
      path: "authorize",
      loader: ({ request }) => requireSignIn(request),
      lazy: async () => ({ Component: (await import("../views/sign-in/ConsentView.tsx")).ConsentView }),
    },
    {
      loader: requireSession,
      shouldRevalidate: shouldRevalidateSession,
      Component: Shell,
      children: [
        // A view that fails does not take down the shell.
        {
          ErrorBoundary: ErrorPane,
          children: [
            { index: true, loader: openLastProject, Component: Home },
            project(client),
            file(client),
            tasks,
            settings,
            { path: "*", Component: NotFound },
          ],
        },
      ],
    },
  ];
}
