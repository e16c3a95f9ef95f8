/** Chooses the routes for what the service offers, with the loaders that guard them. */
import { createBrowserRouter, type LoaderFunctionArgs, redirect, redirectDocument, type RouteObject, type ShouldRevalidateFunctionArgs } from "react-router";
import { listProjects } from "../../contract/operations/projects.ts";
import { getSession } from "../../contract/operations/session.ts";
import type { Client } from "../client/client.ts";
import { getPersisted, setPersisted } from "../lib/local-storage.ts";
import { parseJson } from "../lib/parse-json.ts";
import { needsDocument, sanitizeNextPath, signInPath } from "../lib/sign-in.ts";
import { projectQueries } from "../queries/projects.ts";
import { isWithoutDescription, serviceQueries } from "../queries/service.ts";
import { onAccountChange, sessionQueries } from "../queries/session.ts";
import { groupQueries } from "../queries/teams.ts";
import { ErrorPane } from "./ErrorPane.tsx";
import { Home } from "./Home.tsx";
import { NotFound } from "./NotFound.tsx";
import { Shell, ShellSkeleton } from "./shell/Shell.tsx";
import { archived, documentedRoutes, favorites, file, notifications, playlists, project, searchView, settings, tasks } from "./view-routes.tsx";

/** Name in local storage that is set while the service of this page's origin does not describe itself. */
const DOCUMENTED_KEY = "documented-only";
const CONNECT_PATTERN = /^\/connect\/?$/i;

/** Skips revalidation when the search string changes, because it affects neither session nor lists and a search must not wait for them. */
const shouldRevalidateSession = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean =>
  defaultShouldRevalidate && currentUrl.search === nextUrl.search;

export type Router = Awaited<ReturnType<typeof createRouter>>;

/**
 * Creates the routes of what the service offers, which is requested first unless somebody was signed in to the service before. Every path shows the error
 * if that request fails, or why the service is unknown (`failure`).
 */
export async function createRouter(client: Client, failure?: unknown) {
  const children = CONNECT_PATTERN.test(location.pathname) ? connectRoutes() : failure ? errorRoutes(failure) : await loadRoutes(client).catch(errorRoutes);
  const router = createBrowserRouter([{ path: "/", ErrorBoundary: ErrorPane, HydrateFallback: ShellSkeleton, children }]);
  client.sessionEnd.subscribe((reason) => {
    client.serviceStorage.set("signed-in", null);
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

/** Returns whether the service has what the views of a signed-in person need; true while that is unknown. */
const hasSessions = ({ api }: Client): boolean => api.offers(getSession) && api.offers(listProjects);

/** Requests the description of the service, and stores its features for the next page. */
async function loadFeatures({ api, queryClient, serviceStorage }: Client): Promise<void> {
  await queryClient.fetchQuery(serviceQueries.current()).catch((error: unknown) => {
    if (api.service.get() !== null) throw error;
  });
  const features = api.service.get()?.features;
  serviceStorage.set("features", features ? JSON.stringify(features) : null);
}

async function loadRoutes(client: Client): Promise<RouteObject[]> {
  const { api, serviceStorage } = client;
  const isUsualPage = api.usesSession && api.upstream === "" && getPersisted(DOCUMENTED_KEY) === null;
  if (isUsualPage || serviceStorage.get("signed-in") !== null) return expectSessions(client);
  await loadFeatures(client);
  if (!hasSessions(client)) return documentedRoutes(client);
  setPersisted(DOCUMENTED_KEY, null);
  return sessionRoutes(client, null);
}

/** Returns the routes for a service that nearly always has sessions, as on the page before. If it is unreachable, the views show it. */
function expectSessions(client: Client): RouteObject[] {
  const { api, serviceStorage } = client;
  const isSignedIn = serviceStorage.get("signed-in") !== null;
  const lastFeatures = isSignedIn ? parseJson(serviceStorage.get("features") ?? "") : undefined;
  const knowsFeatures = Array.isArray(lastFeatures);
  if (isSignedIn) api.expectDescription(knowsFeatures ? lastFeatures : undefined);
  void loadFeatures(client).then(
    () => {
      if (hasSessions(client)) return;
      // The next page waits for the description.
      serviceStorage.set("signed-in", null);
      setPersisted(DOCUMENTED_KEY, "1");
      location.reload();
    },
    (error: unknown) => {
      // The next page looks again before it shows views that need a session.
      if (isSignedIn && isWithoutDescription(error)) serviceStorage.set("signed-in", null);
    },
  );
  // Only the first attempt, which is in flight, delays the views.
  return sessionRoutes(client, knowsFeatures ? null : api.discover().catch(() => undefined));
}

/** The routes for a service with sessions. `description`: what settles once its features are known, without which no view is shown; null if they are. */
function sessionRoutes(client: Client, description: Promise<unknown> | null): RouteObject[] {
  const { api, queryClient, serviceStorage } = client;
  const loadSession = () => queryClient.ensureQueryData(sessionQueries.current());
  const loadLists = () => Promise.all([queryClient.prefetchQuery(projectQueries.all()), queryClient.prefetchQuery(groupQueries.all())]);

  /** Loader for views that need a session: loads the session and the lists, or redirects to sign-in, which leads back to the view. */
  async function requireSession({ request }: LoaderFunctionArgs): Promise<null> {
    // Load everything in parallel if someone was signed in before; otherwise the list requests would only be refused.
    const loading = serviceStorage.get("signed-in") ? loadLists() : null;
    await requireSignIn(request);
    await (loading ?? loadLists());
    return null;
  }

  async function requireSignIn(request: Request): Promise<null> {
    if (!(await loadSession())) {
      serviceStorage.set("signed-in", null);
      const { pathname, search } = new URL(request.url);
      if (!api.usesSession) throw redirectDocument(`/connect?reason=refused&next=${encodeURIComponent(pathname + search)}`);
      throw redirect(signInPath(pathname + search));
    }
    await description?.catch(() => undefined);
    // The page that lacks sessions is being loaded again, and must not wait for them.
    if (hasSessions(client)) serviceStorage.set("signed-in", "1");
    return null;
  }

  /** Loader of the sign-in view: redirects a signed-in person, and skips the session request if nobody was signed in before. */
  async function redirectSignedIn({ request }: LoaderFunctionArgs): Promise<null> {
    if (!serviceStorage.get("signed-in") || !(await loadSession())) return null;
    const next = sanitizeNextPath(new URL(request.url).searchParams.get("next"));
    throw needsDocument(next) ? redirectDocument(next) : redirect(next);
  }

  /** Redirects "/" to the last opened project, else to the first by name; on a phone "/" shows the list itself. */
  async function openLastProject(args: LoaderFunctionArgs): Promise<null> {
    await requireSession(args);
    const projects = (queryClient.getQueryData(projectQueries.all().queryKey) ?? []).filter(({ archived_at }) => !archived_at);
    const last = projects.find(({ id }) => String(id) === serviceStorage.get("last-project")) ?? projects.toSorted((a, b) => a.name.localeCompare(b.name))[0];
    if (last && matchMedia("(min-width: 720px)").matches) throw redirect(`/projects/${last.id}/chat`);
    return null;
  }

  return [
    { path: "sign-in", loader: redirectSignedIn, lazy: async () => ({ Component: (await import("../views/sign-in/SignInView.tsx")).SignInView }) },
    { path: "setup", lazy: async () => ({ Component: (await import("../views/sign-in/LinkViews.tsx")).SetUpView }) },
    { path: "welcome", loader: requireSession, lazy: async () => ({ Component: (await import("../views/sign-in/WelcomeView.tsx")).WelcomeView }) },
    { path: "invite", lazy: async () => ({ Component: (await import("../views/sign-in/LinkViews.tsx")).InviteView }) },
    { path: "reset", lazy: async () => ({ Component: (await import("../views/sign-in/LinkViews.tsx")).ResetPasswordView }) },
    { path: "confirm-email", lazy: async () => ({ Component: (await import("../views/sign-in/ConfirmEmailView.tsx")).ConfirmEmailView }) },
    { path: "unsubscribe", lazy: async () => ({ Component: (await import("../views/sign-in/UnsubscribeView.tsx")).UnsubscribeView }) },
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
            archived,
            project(client),
            file(client),
            notifications,
            tasks,
            playlists(client),
            favorites,
            searchView,
            settings,
            { path: "*", Component: NotFound },
          ],
        },
      ],
    },
  ];
}
