/** Loads the session and the shell's lists before a view opens. */
import { redirect, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from "react-router";
import { sanitizeNextPath, signInPath } from "../lib/next-path.ts";
import { getPersisted, setPersisted } from "../lib/remembered.ts";
import { groupQueries } from "../queries/groups/options.ts";
import { projectQueries } from "../queries/projects/options.ts";
import { queryClient } from "../queries/query-client.ts";
import { sessionQueries } from "../queries/session/options.ts";

const loadSession = () => queryClient.ensureQueryData(sessionQueries.current());
const loadLists = () => Promise.all([queryClient.prefetchQuery(projectQueries.all()), queryClient.prefetchQuery(groupQueries.all())]);

/** Loader for views that need a session: loads the session and the lists, or redirects to sign-in, which leads back to the view. */
export async function requireSession({ request }: LoaderFunctionArgs): Promise<null> {
  // Load everything in parallel if someone was signed in before; otherwise the list requests would only be refused.
  const loading = getPersisted("signed-in") ? loadLists() : null;
  if (!(await loadSession())) {
    setPersisted("signed-in", null);
    const { pathname, search } = new URL(request.url);
    throw redirect(signInPath(pathname + search));
  }
  setPersisted("signed-in", "1");
  await (loading ?? loadLists());
  return null;
}

/** Skips revalidation when the search string changes, because it affects neither session nor lists and a search must not wait for them. */
export const shouldRevalidateSession = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean =>
  defaultShouldRevalidate && currentUrl.search === nextUrl.search;

/** Loader of the sign-in view: redirects a signed-in person, and skips the session request if nobody was signed in before. */
export async function redirectSignedIn({ request }: LoaderFunctionArgs): Promise<null> {
  if (getPersisted("signed-in") && (await loadSession())) throw redirect(sanitizeNextPath(new URL(request.url).searchParams.get("next")));
  return null;
}

/** Redirects "/" to the last opened project, else to the first by name; on a phone "/" shows the list itself. */
export async function openLastProject(args: LoaderFunctionArgs): Promise<null> {
  await requireSession(args);
  const projects = queryClient.getQueryData(projectQueries.all().queryKey) ?? [];
  const last = projects.find(({ id }) => String(id) === getPersisted("last-project")) ?? projects.toSorted((a, b) => a.name.localeCompare(b.name))[0];
  if (last && matchMedia("(min-width: 720px)").matches) throw redirect(`/projects/${last.id}/chat`);
  return null;
}
