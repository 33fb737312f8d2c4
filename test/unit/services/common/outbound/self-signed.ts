// A certificate of hook.example and 127.0.0.1 and its key, made for these tests:
// openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=hook.example \
//   -addext subjectAltName=DNS:hook.example,IP:127.0.0.1
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAirAUp2ekcO3xVMI
5TuB17NnxRR+Hc37/Bxw3CLsJ4OhRANCAAQ4N2sGnIrZbP94AX8qVOBqMsKR0sHE
KjY9E3tByqzb3fBAu3Sjl/SWFEvfstbD90FJMSo6qTh78nLMhkafn6WK
-----END PRIVATE KEY-----
`;

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBozCCAUqgAwIBAgIUEBnjM0g7bwidjLyygyfbdH7dniAwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMaG9vay5leGFtcGxlMCAXDTI2MTEyMjA4MzAxMloYDzIxMjYx
MDI5MDgzMDEyWjAXMRUwEwYDVQQDDAxob29rLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAAQ4N2sGnIrZbP94AX8qVOBqMsKR0sHEKjY9E3tByqzb3fBA
u3Sjl/SWFEvfstbD90FJMSo6qTh78nLMhkafn6WKo3IwcDAdBgNVHQ4EFgQUB1wc
lLsY7DVH2mSZijIXh/SJnQkwHwYDVR0jBBgwFoAUB1wclLsY7DVH2mSZijIXh/SJ
nQkwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHREEFjAUggxob29rLmV4YW1wbGWHBH8A
AAEwCgYIKoZIzj0EAwIDRwAwRAIgGtx2OGuSj+Oe7/cgz2aSQkQNtUHP1LPd64cV
Llp8XSoCIGmA9gceSN99vZVa57dbYr10eaX/5O+7D1fEDdtk+4C+
-----END CERTIFICATE-----
`;
