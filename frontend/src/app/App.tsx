/** The page put together: theme, queries, the screen of the address inside the shell. */
import { Button, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, matchRoute, Redirect, useLocation, useRouter } from "wouter";
import { makeQueryClient } from "@/api/queries";
import { paperInForce, usePreferences } from "@/reading/preferences";
import { Empty } from "@/ui/Empty";
import { PageBody } from "@/ui/PageBody";
import { Pending } from "@/ui/Pending";
import { Boundary } from "./Boundary";
import { nonce } from "./nonce";
import { SCREENS } from "./routes";
import { Shell } from "./Shell";
import { cssVariablesResolver, theme } from "./theme";

export function App() {
  const [queries] = useState(makeQueryClient);
  const paper = paperInForce(usePreferences().paper);
  const dark = paper === "dark" || paper === "black";
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      getStyleNonce={() => nonce}
      forceColorScheme={dark ? "dark" : "light"}
    >
      <QueryClientProvider client={queries}>
        <Screens />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function Screens() {
  const { parser } = useRouter();
  const [path] = useLocation();
  if (path === "/library" || path === "/library/") return <Redirect to="/library/cards" replace />;
  for (const { path: pattern, screen: Screen, story } of SCREENS) {
    const [matches, params] = matchRoute(parser, pattern, path);
    if (!matches) continue;
    return (
      <Shell story={story}>
        <Boundary key={story ? path : pattern}>
          <Suspense fallback={<Pending />}>
            <Screen params={params} />
          </Suspense>
        </Boundary>
      </Shell>
    );
  }
  return (
    <Shell story={false}>
      <Nowhere />
    </Shell>
  );
}

function Nowhere() {
  const { t } = useTranslation();
  return (
    <PageBody title={t("common.name")}>
      <Empty text={t("common.notFound")}>
        <Button component={Link} href="/">
          {t("common.toHome")}
        </Button>
      </Empty>
    </PageBody>
  );
}
