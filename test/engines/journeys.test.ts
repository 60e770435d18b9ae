/**
 * All journeys in one file, because each worker that takes a file loads the service and starts the browser again. `-t`
 * picks one.
 */
import "./journeys/footer.ts";
import "./journeys/login.ts";
import "./journeys/newsletter.ts";
import "./journeys/preview.ts";
import "./journeys/provider.ts";
import "./journeys/widgets.ts";
import "./journeys/without-script.ts";
