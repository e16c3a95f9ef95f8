// Prepares the page of the API reference for Scalar's viewer, and starts it in the theme of the app: the same key and rule as in src/ui/theme.ts.
(() => {
  const KEY = "talkback.theme";
  const light = matchMedia("(prefers-color-scheme: light)");
  const nonce = document.currentScript?.nonce ?? "";

  // The page allows style elements with its nonce only, and the viewer gives it only to its first one.
  const createElement = document.createElement.bind(document);
  /**
   * @param {string} name
   * @param {ElementCreationOptions} [options]
   */
  document.createElement = (name, options) => {
    const element = createElement(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  // The viewer tries whether it may compile text to code. This throws before the CSP reports the attempt.
  const refuse = () => {
    throw new EvalError("This page compiles no text to code.");
  };
  globalThis.Function = new Proxy(Function, { apply: refuse, construct: refuse });

  function currentTheme() {
    let chosen = null;
    try {
      chosen = localStorage.getItem(KEY);
    } catch {
      // Storage may be forbidden: the system's theme is used then.
    }
    return chosen === "light" || chosen === "dark" ? chosen : light.matches ? "light" : "dark";
  }
  const configuration = {
    url: "/openapi.json",
    // Requests go to this service only, at the address of this page.
    servers: [{ url: location.origin }],
    theme: "none",
    forceDarkModeState: currentTheme(),
    hideDarkModeToggle: true,
    // Nothing comes from elsewhere or goes there: fonts, usage figures, the request proxy, the assistant, Scalar's own apps.
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: "",
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: "never",
    // Requests are authorized by the pasted token only, never by the session cookie of a signed-in browser.
    customFetch: (/** @type {RequestInfo} */ input, /** @type {RequestInit} */ init) => fetch(input, { ...init, credentials: "omit" }),
    // A pasted token is kept only until the page is left.
    persistAuth: false,
    authentication: { preferredSecurityScheme: "bearer" },
    documentDownloadType: "direct",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  };

  addEventListener("DOMContentLoaded", () => {
    const { Scalar } = /** @type {any} */ (globalThis);
    Scalar.createApiReference("#app", configuration);
    // The viewer reads the theme only once, and sets one of two classes, which it sets again some time after the system's theme has changed.
    const update = () => {
      document.body.classList.toggle("dark-mode", currentTheme() === "dark");
      document.body.classList.toggle("light-mode", currentTheme() === "light");
    };
    new MutationObserver(update).observe(document.body, { attributeFilter: ["class"] });
    light.addEventListener("change", update);
    addEventListener("storage", ({ key }) => {
      if (key === KEY || key === null) update();
    });
  });
})();
