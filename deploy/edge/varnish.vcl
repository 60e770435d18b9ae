# Varnish 7 in front of your pages and of this service.
#
# A page includes a fragment by
#   <esi:include src="/fragments/footer/DE" onerror="continue"/>
# An unavailable one leaves nothing. Includes of a page are fetched one after the other. Their headers are dropped,
# also the Link that preloads files. To load files early, the page's head includes /fragments/head/DE and the fragments
# have ?assets=none.
vcl 4.1;

import directors;
import std;

# A replica that stops or doesn't answer gets no requests. Three bad checks exclude it, because it answers for 2 more
# seconds. One good check brings it back, before the next replica is stopped.
probe storefront_ready {
    .url = "/readyz";
    .interval = 500ms;
    .timeout = 1s;
    .window = 3;
    .threshold = 1;
    .initial = 1;
}

# Set these: addresses, who may purge, and where the tags of a response are.
backend pages { .host = "pages"; .port = "8080"; }
backend storefront { .host = "fragments"; .port = "3000"; .connect_timeout = 250ms; .probe = storefront_ready; }
#backend storefront_2 { .host = "fragments-2"; .port = "3000"; .connect_timeout = 250ms; .probe = storefront_ready; }
sub vcl_init {
    # One line per replica.
    new replicas = directors.round_robin();
    replicas.add_backend(storefront);
    #replicas.add_backend(storefront_2);
}
acl purgers { "localhost"; }
sub collect_tags {
    # If EDGE_TAG_HEADERS of the service names none of these, add the one that it names.
    set beresp.http.X-Storefront-Tags = " " + regsuball(
        beresp.http.Surrogate-Key + "," + beresp.http.Cache-Tag + "," + beresp.http.Edge-Cache-Tag + ","
        + beresp.http.X-Amz-Meta-Cache-Tag, "[ ,]+", " ") + " ";
}
# The footers of an A/B test, while it runs: test, groups, and their shares of the visitors. X-Storefront-Share is a
# number from 00 to 99, which a visitor keeps with the same address and browser, without a cookie.
sub storefront_variant {
    #if (req.http.X-Storefront-Share ~ "^[0-4]") { set req.http.X-Storefront-Variant = "footer-promotion:A"; }
    #if (req.http.X-Storefront-Share ~ "^[5-9]") { set req.http.X-Storefront-Variant = "footer-promotion:B"; }
}
# Nothing below needs a change.

sub vcl_init {
    new visitors = directors.shard();
}

sub vcl_recv {
    # To purge by tags, here all fragments of a country:
    #   curl -X PURGE -H 'Surrogate-Key: country-DE' http://varnish/
    if (req.method == "PURGE") {
        # A request from a proxy in front has the proxy's address, but names another sender before Varnish's entry.
        if (client.ip !~ purgers || req.http.X-Forwarded-For ~ "," || req.http.Forwarded || req.http.Via) {
            return (synth(403));
        }
        if (req.http.Surrogate-Key !~ "^[\w.:-]+( [\w.:-]+)*$") {
            return (synth(400));
        }
        # Edge-Cache-Tag has a dot in place of a colon.
        ban("obj.http.X-Storefront-Tags ~ \s(" + regsuball(
            regsuball(req.http.Surrogate-Key, "[.:]", "[.:]"), " ", "|") + ")\s");
        return (synth(204));
    }

    if (req.restarts == 0) {
        unset req.http.X-Storefront-Old;
    }

    # A page includes the same address for everybody, and gets the footer of the visitor's group.
    unset req.http.X-Storefront-Variant;
    if (req.esi_level > 0 && req.url ~ "^/fragments/footer[/?]" && req.url !~ "[?&]variant=") {
        set req.http.X-Storefront-Share = regsub("0" + visitors.key(client.ip + req.http.User-Agent), "^.*(..)$", "\1");
        call storefront_variant;
        if (req.http.X-Storefront-Variant) {
            if (req.url ~ "\?") {
                set req.url = req.url + "&";
            } else {
                set req.url = req.url + "?";
            }
            set req.url = req.url + "variant=" + req.http.X-Storefront-Variant;
        }
        unset req.http.X-Storefront-Share;
        unset req.http.X-Storefront-Variant;
    }

    if (req.url ~ "^/fragments/") {
        set req.backend_hint = replicas.backend();
        # All visitors share a copy, so it may depend only on the address.
        set req.http.Host = "fragments";
        unset req.http.Authorization;
        unset req.http.X-Forwarded-For;
        unset req.http.X-Forwarded-Host;
        unset req.http.X-Forwarded-Proto;
        unset req.http.X-Original-Address;
        # A preview is requested with the cookies of staff, and isn't cached.
        if (req.http.Cookie ~ "(^|; *)PreviewContext=") {
            return (pass);
        }
        unset req.http.Cookie;
    } elsif (req.url ~ "^/(assets|service/(footer-images|newsletterfrontend/newslettersubscriptionform))/") {
        # The styles, scripts and pictures that fragments load. Their names or queries carry hashes, so a copy never gets
        # old. If the service is down, a footer looks as always with the files that a browser has loaded here before.
        set req.backend_hint = replicas.backend();
        # One copy for all sites and visitors.
        set req.http.Host = "fragments";
        unset req.http.Authorization;
        unset req.http.Cookie;
        unset req.http.X-Forwarded-For;
        unset req.http.X-Forwarded-Host;
        unset req.http.X-Forwarded-Proto;
        unset req.http.X-Original-Address;
    } elsif (req.url ~ "^/(service/(newsletter/api|promotion|customerfrontenddata|login|preview|abtestfrontend)/|newsletter([/?]|$)|([.]well-known/(security[.]txt|change-password)|subscribenewsletter|view|countries|login(/callback|/backchannel-logout)?|m/login|logout|preview(/callback)?)([?]|$))") {
        # The calls of fragments in the browser, and the service's pages. All other paths are your shop's.
        set req.backend_hint = replicas.backend();
        # Trusted if TRUST_PROXY of the service names this Varnish. Otherwise all visitors share one rate limit.
        set req.http.X-Forwarded-For = client.ip;
        set req.http.X-Forwarded-Host = req.http.Host;
        set req.http.X-Forwarded-Proto = "http";
        # Varnish itself has no TLS. A proxy that ends TLS in front of it says so by the PROXY protocol.
        if (std.port(local.ip) == 443) {
            set req.http.X-Forwarded-Proto = "https";
        }
        # Names the visitor for whom your back office calls. Browsers must not send it.
        unset req.http.X-Original-Address;
        # Kept, so that it can be sent to another replica. The service accepts no longer body.
        if (std.integer(req.http.Content-Length, 65537) <= 65536) {
            std.cache_req_body(64KB);
        }
        return (pass);
    }
}

# If a replica refuses a request, or answers 503 because it is starting or overloaded, Varnish asks another. This
# includes requests that change something: sending one twice does no harm.
sub ask_another_replica {
    if (bereq.backend != pages && bereq.retries == 0 && now < std.time(bereq.http.X-Storefront-Retry-Until, now)) {
        return (retry);
    }
}

sub vcl_backend_fetch {
    # No page waits for a fragment. A sign-up or a login may take up to 20 seconds if a real service handles it.
    if (bereq.url ~ "^/fragments/") {
        set bereq.first_byte_timeout = 1s;
        set bereq.between_bytes_timeout = 1s;
        set bereq.http.X-Storefront-Retry-Until = std.time2real(now + 500ms, 0.0);
    } elsif (bereq.backend != pages) {
        set bereq.first_byte_timeout = 25s;
        set bereq.http.X-Storefront-Retry-Until = std.time2real(now + 5s, 0.0);
    }
}

sub vcl_backend_response {
    if (beresp.status == 503) {
        call ask_another_replica;
    }
    if (bereq.backend != pages) {
        call collect_tags;
    }
    if (bereq.url ~ "^/fragments/") {
        if (beresp.status >= 500) {
            return (error(beresp.status));
        }
        # A Podium layout behind this Varnish would compare copies of different ages.
        unset beresp.http.podlet-version;
        # Whole or not at all.
        set beresp.do_stream = false;
        set beresp.do_gzip = true;
        if (beresp.status == 200 && !bereq.uncacheable && beresp.http.Cache-Control ~ "stale-if-error=") {
            # In the second before a known change, the service sends s-maxage=0. A burst of visitors is
            # still one request, and a delay of a tenth of a second is short enough.
            if (beresp.ttl <= 0s) {
                set beresp.ttl = 100ms;
            }
            # Varnish reads stale-while-revalidate as grace, but not stale-if-error, which is longer: vcl_hit
            # tells them apart.
            set beresp.http.X-Storefront-Grace = beresp.grace + "s";
            set beresp.grace = std.duration(
                regsub(beresp.http.Cache-Control, "^.*stale-if-error=(\d+).*$", "\1s"), 0s);
            return (deliver);
        }
    } elsif (bereq.backend == pages && beresp.http.Content-Type ~ "^text/html") {
        set beresp.do_esi = true;
        set beresp.do_gzip = true;
        # They don't cover the fragments: a browser would keep a page with an old one.
        unset beresp.http.ETag;
        unset beresp.http.Last-Modified;
    }
}

sub vcl_backend_error {
    call ask_another_replica;
    if (bereq.url ~ "^/fragments/") {
        # A cached error would replace the copy.
        if (bereq.is_bgfetch) {
            return (abandon);
        }
        if (bereq.http.X-Storefront-Old) {
            set beresp.ttl = 0s;
        }
        # Otherwise Varnish would put its error page into your page.
        unset beresp.http.Content-Type;
        synthetic("");
        return (deliver);
    }
}

# A copy too old for stale-while-revalidate is used only after the service has failed.
sub vcl_hit {
    if (obj.http.X-Storefront-Grace
        && obj.ttl + std.duration(obj.http.X-Storefront-Grace, 0s) < 0s
        && !req.http.X-Storefront-Old
        && std.healthy(req.backend_hint)) {
        set req.http.X-Storefront-Old = "asks";
        set req.grace = 0s;
        return (restart);
    }
}

sub vcl_deliver {
    if (req.http.X-Storefront-Old == "asks" && resp.status >= 500) {
        set req.http.X-Storefront-Old = "answers";
        set req.grace = 1d;
        return (restart);
    }
    unset resp.http.X-Storefront-Grace;
    unset resp.http.X-Storefront-Tags;
}
