"""Messages of the packages we build on, named here so that our catalogue translates them our way.

A catalogue of ours goes before theirs, but makemessages drops whatever no source names. Nothing
imports this module but its test, which also finds out when a package no longer has the words:
docs/howto/translate-interface.md.
"""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

# What Django's forms object to.
FORMS = (
    _("Enter a valid value."),
    _("Enter a valid URL."),
    _("Enter a valid integer."),
    _("Enter a valid email address."),
    _("Enter a valid “slug” consisting of letters, numbers, underscores or hyphens."),
    _("Enter a valid “slug” consisting of Unicode letters, numbers, underscores, or hyphens."),
    _("Ensure this value is %(limit_value)s (it is %(show_value)s)."),
    _("Ensure this value is less than or equal to %(limit_value)s."),
    _("Ensure this value is greater than or equal to %(limit_value)s."),
    _("Ensure this value is a multiple of step size %(limit_value)s."),
    ngettext_lazy(
        "Ensure this value has at least %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at least %(limit_value)d characters (it has %(show_value)d).",
        "n",
    ),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
        "n",
    ),
    _("Enter a number."),
    _("Enter a whole number."),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s digit in total.",
        "Ensure that there are no more than %(max)s digits in total.",
        "n",
    ),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s decimal place.",
        "Ensure that there are no more than %(max)s decimal places.",
        "n",
    ),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s digit before the decimal point.",
        "Ensure that there are no more than %(max)s digits before the decimal point.",
        "n",
    ),
    _("Enter a valid date."),
    _("Enter a valid time."),
    _("Enter a valid date/time."),
    _("Enter a valid duration."),
    _("Enter a valid JSON."),
    _("Enter a valid UUID."),
    _("Enter a list of values."),
    _("Enter a complete value."),
    _("No file was submitted. Check the encoding type on the form."),
    _("No file was submitted."),
    _("The submitted file is empty."),
    ngettext_lazy(
        "Please submit at most %(num)d form.",
        "Please submit at most %(num)d forms.",
        "n",
    ),
    ngettext_lazy(
        "Please submit at least %(num)d form.",
        "Please submit at least %(num)d forms.",
        "n",
    ),
    _("Please correct the duplicate data for %(field)s."),
    _("Please correct the duplicate data for %(field)s, which must be unique."),
    _("Please correct the duplicate values below."),
    _("Select a valid choice. That choice is not one of the available choices."),
    _("Select a valid choice. %(value)s is not one of the available choices."),
    _("CSRF verification failed. Request aborted."),
)

# What Django says of passwords and people.
PASSWORDS = (
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
        "n",
    ),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "n",
    ),
    _("The password is too similar to the %(verbose_name)s."),
    _("Your password can’t be too similar to your other personal information."),
    _("This password is too common."),
    _("Your password can’t be a commonly used password."),
    _("Your password can’t be entirely numeric."),
    _("Enter the same password as before, for verification."),
    _("Your old password was entered incorrectly. Please enter it again."),
    _("The two password fields didn’t match."),
    _("Enter new password"),
    _("Conflicting form data submitted. Please try again."),
    _(
        "Whether the user will be able to authenticate using a password or not. If disabled, "
        "they may still be able to authenticate using other backends, such as Single Sign-On "
        "or LDAP."
    ),
    _("Designates that this user has all permissions without explicitly assigning them."),
)

# What allauth says at signing up and in.
ACCOUNT = (
    _("Email address"),
    _("Email"),
    _("Remember Me"),
    _("Password (again)"),
    _("Current Password"),
    _("New Password"),
    _("New Password (again)"),
    _("Forgot your password?"),
    _("The email address and/or password you specified are not correct."),
    _("This account is currently inactive."),
    _("Too many failed login attempts. Try again later."),
    _("A user is already registered with this email address."),
    _("This email address is already associated with this account."),
    _("The email address is not assigned to any user account."),
    _("You cannot remove your primary email address."),
    _("You cannot remove your primary email address (%(email)s)."),
    _("You cannot add more than %d email addresses."),
    _("Your primary email address must be verified."),
    _("Please type your current password."),
    _("You must type the same password each time."),
    _("You must type the same email each time."),
    _("The new value must be different from the current one."),
    _("Incorrect password."),
    _("The password reset token was invalid."),
    _("Confirmation email sent to %(email)s."),
    _("You have confirmed %(email)s."),
    _("Unable to confirm %(email)s because it is already confirmed by a different account."),
    _("Removed email address %(email)s."),
    _("Primary email address set."),
    _("Successfully signed in as %(name)s."),
    _("You have signed out."),
    _("Password successfully changed."),
    _("Password successfully set."),
    _("Please reauthenticate to safeguard your account."),
    _("Enter your password:"),
    _("Use your password"),
    _("Account Inactive"),
    _("This account is inactive."),
)

# What Django's admin says.
ADMIN = (
    _("Save and add another"),
    _("Save and continue editing"),
    _("Time"),
    _("Time:"),
    ngettext_lazy("Please correct the error below.", "Please correct the errors below.", "n"),
    _("Hold down “Control”, or “Command” on a Mac, to select more than one."),
    _("Select this object for an action - {}"),
    _("Select all objects on this page for an action"),
    _("Click here to select the objects across all pages"),
    _("Select %s"),
    _("Select %s to change"),
    _("Select %s to view"),
    _("Add %s"),
    _("Change %s"),
    _("View %s"),
    _("Add"),
    _("Add another %(verbose_name)s"),
    _("You may edit it again below."),
    _("The {name} “{obj}” was added successfully."),
    _("The {name} “{obj}” was changed successfully."),
    _("The {name} “{obj}” was added successfully. You may add another {name} below."),
    _("The {name} “{obj}” was changed successfully. You may edit it again below."),
    _("The {name} “{obj}” was changed successfully. You may add another {name} below."),
    _("Items must be selected in order to perform actions on them. No items have been changed."),
    _("No action selected."),
    _(
        "There’s been an error. It’s been reported to the site administrators via email and "
        "should be fixed shortly. Thanks for your patience."
    ),
    _(
        "Something’s wrong with your database installation. Make sure the appropriate "
        "database tables have been created, and make sure the database is readable by the "
        "appropriate user."
    ),
    _("Enter a new password for the user <strong>%(username)s</strong>."),
    _("This object doesn’t have a change history. It probably wasn’t added via this admin site."),
    _(
        "You are authenticated as %(username)s, but are not authorized to access this page. "
        "Would you like to login to a different account?"
    ),
)

# What the admin's theme says; it has no Spanish at all.
THEME = (
    _("Select value"),
    _(
        "Raw passwords are not stored, so there is no way to see this user’s password, but "
        'you can change the password using <a href="{}" class="text-primary-600 '
        'dark:text-primary-500">this form</a>.'
    ),
    _("Select record"),
    _("Select action"),
    _("Select action to run"),
    _("Select all rows"),
    _("Run"),
    _("Collapse"),
    _("Expand row"),
    _("Reset to default"),
    _("From"),
    _("To"),
    _("Date"),
    _("Date from"),
    _("Date to"),
    _("Not enough data."),
    _("No data"),
    _("True"),
    _("False"),
    _("Value"),
    _("Add row"),
    _("Add new item"),
    _("More actions"),
    _("All applications"),
    _("Apply Filters"),
    _("Reset filters"),
    _("Type to search"),
    _("Search apps and models..."),
    _("Recent searches"),
    _("No recent searches"),
    _("No results matching your query"),
    _("No results found"),
    _("Loading more results..."),
    _("This item will be deleted."),
    _("Click to cancel"),
    _("Record picture"),
    _("Go back"),
    _("Previous"),
    _("Next"),
    _("General"),
    _("Light"),
    _("Dark"),
    _("System"),
    _("Return to site"),
    _("%(full_result_count)s total"),
    _("Choose file to upload"),
    _("Toggle password visibility"),
    _("After you've created a user, you’ll be able to edit more user options."),
    _("Welcome back to"),
)
