/** Catches what fails while a part of the page is drawn, so that the rest goes on. */
import { Component, type ErrorInfo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";

interface State {
  error: unknown;
}

/** Give it a `key` that changes with what it shows: it forgets its error then. */
export class Boundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    reportError(new Error(`drawing failed at${info.componentStack ?? ""}`, { cause: error }));
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return <Broken error={this.state.error} onRetry={() => this.setState({ error: null })} />;
  }
}

function Broken({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  return <ErrorNote error={error} text={t("common.broken")} onRetry={onRetry} />;
}
