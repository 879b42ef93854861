"""A mail server for tests: on loopback, every mail a file of a Maildir, byte for byte as it came.

Prints its port, then serves until its standard input is closed. Needs aiosmtpd (tests/smtp/requirements.txt).
"""

import argparse
import asyncio
import itertools
import logging
import os
import ssl
import sys
import warnings

from aiosmtpd.smtp import SMTP, AuthResult


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("maildir")
    parser.add_argument("--busy", type=int, default=0, help="answer 451 to so many mails first")
    parser.add_argument("--drop", type=int, default=0, help="keep so many mails and close without an answer")
    parser.add_argument("--unknown", default="", help="answer 550 for this receiver")
    parser.add_argument("--stranger", default="", help="answer 553 for this sender")
    parser.add_argument("--spam", action="store_true", help="answer 554 to every mail")
    parser.add_argument("--login", default="", help="USER:PASSWORD, without which nothing is taken")
    parser.add_argument("--parrot", action="store_true", help="say a wrong password back")
    parser.add_argument("--tls", choices=["", "implicit", "starttls"], default="")
    parser.add_argument("--cert", default="")
    parser.add_argument("--key", default="")
    return parser.parse_args()


class Office:
    """Takes mails, or does not, as the options say."""

    def __init__(self, args):
        self.args = args
        self.numbers = itertools.count(1)
        for sub in ("cur", "new", "tmp"):
            os.makedirs(os.path.join(args.maildir, sub), exist_ok=True)

    async def handle_MAIL(self, server, session, envelope, address, mail_options):
        if address == self.args.stranger:
            return "553 5.7.1 <%s>: Sender address rejected: not owned by user" % address
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if address == self.args.unknown:
            return "550 5.1.1 <%s>: Recipient address rejected: User unknown" % address
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.args.spam:
            return "554 5.7.1 Message rejected as spam"
        if self.args.busy > 0:
            self.args.busy -= 1
            return "451 4.3.2 Try again later"
        name = "%06d.%s" % (next(self.numbers), ",".join(envelope.rcpt_tos))
        aside = os.path.join(self.args.maildir, "tmp", name)
        with open(aside, "wb") as file:
            file.write(envelope.original_content)
        os.rename(aside, os.path.join(self.args.maildir, "new", name))
        if self.args.drop > 0:
            self.args.drop -= 1
            server.transport.abort()
        return "250 OK"


def authenticator(args):
    user, _, password = args.login.partition(":")

    def check(server, session, envelope, mechanism, data):
        given = data.password.decode()
        if (data.login.decode(), given) == (user, password):
            return AuthResult(success=True)
        message = "535 5.7.8 Authentication failed" + (" for password " + given if args.parrot else "")
        return AuthResult(success=False, handled=False, message=message)

    return check


async def main():
    args = options()
    context = None
    if args.tls:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(args.cert, args.key)
    office = Office(args)

    def connection():
        return SMTP(
            office,
            hostname="mail.test",
            tls_context=context if args.tls == "starttls" else None,
            require_starttls=args.tls == "starttls",
            auth_required=bool(args.login),
            auth_require_tls=False,
            authenticator=authenticator(args) if args.login else None,
            loop=asyncio.get_running_loop(),
        )

    loop = asyncio.get_running_loop()
    server = await loop.create_server(connection, "127.0.0.1", 0, ssl=context if args.tls == "implicit" else None)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    os._exit(0)


# Logins without TLS and broken handshakes are what is tested here.
warnings.simplefilter("ignore")
logging.disable()
asyncio.run(main())
