import { useEffect, useState } from "react";
import texts from "../../../locales/en/preview-panel.json";
import { Button } from "../../widgets/button/Button.tsx";
import { Modal } from "../../widgets/modal/Modal.tsx";
import { Notification } from "../../widgets/notification/Notification.tsx";
import { shareLink } from "./preview-service.ts";
import { describeTime } from "./zoned-time.ts";

interface ShareModalProps {
  timeZone: string;
  onClose: () => void;
}

/** Creates a link by which other staff see the same page at the same moment. */
export function ShareModal({ timeZone, onClose }: ShareModalProps) {
  return (
    <Modal size="S" title={texts["share.title"]} closeLabel={texts.close} open onClose={onClose}>
      <ShareLink timeZone={timeZone} />
    </Modal>
  );
}

type Link = Awaited<ReturnType<typeof shareLink>>;

function ShareLink({ timeZone }: { timeZone: string }) {
  const [link, setLink] = useState<Link | "loading">("loading");
  const [copied, setCopied] = useState<"share.copied" | "share.copyFailed">();

  useEffect(() => {
    void shareLink(location.pathname + location.search).then(setLink);
  }, []);

  if (link === "loading") return <p>{texts["apply.loading"]}</p>;
  if (!link) {
    return (
      <div role="alert">
        <Notification state="error" variant="copysize" label={texts.error}>
          {texts["share.failed"]}
        </Notification>
      </div>
    );
  }
  // Without HTTPS the browser has no clipboard.
  const copy = () =>
    Promise.resolve(navigator.clipboard?.writeText(link.url) ?? Promise.reject()).then(
      () => setCopied("share.copied"),
      () => setCopied("share.copyFailed"),
    );
  return (
    <>
      <p>{texts["share.introduction"]}</p>
      <p>
        <a className="sf-preview-link" href={link.url}>
          {link.url}
        </a>
      </p>
      <p>
        {texts["share.expires"]} {describeTime(link.expiresAt, timeZone)}.
      </p>
      <Button onClick={copy}>{texts["share.copy"]}</Button>
      <p role="status">{copied && texts[copied]}</p>
    </>
  );
}
